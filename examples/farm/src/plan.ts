// What `muster-farm plan` prints, and what its workflows answer.
// SPDX-License-Identifier: MIT OR Apache-2.0

/** A workflow to start, and the names of the jobs that it does, in order. */
export interface Workflow {
  type: string;
  id: string;
  queue: string;
  /** Goes to the workers as it is. */
  input: object;
  jobs: string[];
  /** Whose they are: workers are shared out among owners. Empty for nobody. */
  owner: string;
}

/** What came of a job. */
export type Outcome = 'done' | { failed: { fault: string; reason: string } };

/** Something in a file or a setting is not what it should be; the message begins with which. */
export class BadInput extends Error {}

/** The workflows of a plan. */
export function parsePlan(text: string): Workflow[] {
  let plan: unknown;
  try {
    plan = JSON.parse(text);
  } catch (error) {
    throw new BadInput(`plan: ${(error as Error).message}`);
  }
  const { workflows } = expect(plan, isObject, 'plan', 'an object');
  return expect(workflows, Array.isArray, 'workflows', 'a list').map(parseWorkflow);
}

function parseWorkflow(value: unknown, place: number): Workflow {
  const at = `workflows[${place}]`;
  const found = expect(value, isObject, at, 'an object');
  const text = (name: string) => expect(found[name], isText, `${at}.${name}`, 'a text');
  const [type, id, queue] = [text('type'), text('id'), text('queue')];
  const input = expect(found.input, isObject, `${at}.input`, 'an object');
  expectExact(input, `${at}.input`);
  const jobs = expect(found.jobs, Array.isArray, `${at}.jobs`, 'a list');
  if (jobs.length === 0) throw new BadInput(`${at}.jobs: empty`);
  const name = (job: unknown, i: number) => expect(job, isName, `${at}.jobs[${i}]`, '0x and 64 hex digits');
  const owner = expect(found.owner ?? '', isString, `${at}.owner`, 'a text');
  return { type, id, queue, input, jobs: jobs.map(name), owner };
}

/** What a workflow answered: an outcome for each of its jobs. */
export function parseOutcomes(answer: unknown, { id, jobs }: Workflow): Outcome[] {
  if (Array.isArray(answer) && answer.length === jobs.length && answer.every(isOutcome)) return answer;
  throw new Error(`${id}: its answer is not an outcome for each job`);
}

/** A line for a job. */
export function line(job: string, outcome: Outcome): string {
  if (outcome === 'done') return `${job} proven`;
  const { fault, reason } = outcome.failed;
  // The prover's words begin with the verdict.
  const whole = reason.startsWith(`${fault}: `) ? reason : `${fault}: ${reason}`;
  return `${job} failed: ${whole.replace(/\s+/g, ' ')}`;
}

function expect<T>(value: unknown, is: (value: unknown) => value is T, field: string, what: string): T {
  if (is(value)) return value;
  throw new BadInput(`${field}: ${value === undefined ? 'missing' : `not ${what}`}`);
}

/** Whole numbers from 2^53 on are rounded when they are read: the job would be another. */
function expectExact(value: unknown, field: string): void {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new BadInput(`${field}: too large for a number of JavaScript`);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    expectExact(part, Array.isArray(value) ? `${field}[${name}]` : `${field}.${name}`);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value);
}

function isOutcome(value: unknown): value is Outcome {
  if (value === 'done') return true;
  if (!isObject(value) || !isObject(value.failed)) return false;
  return typeof value.failed.fault === 'string' && typeof value.failed.reason === 'string';
}
