// Plans, outcomes and payloads, without a server.
// SPDX-License-Identifier: MIT OR Apache-2.0
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { BadInput, line, parseOutcomes, parsePlan } from '../src/plan.js';

const JOB = `0x${'1a'.repeat(32)}`;
const workflow = {
  type: 'Proofs',
  id: `prove-${'1a'.repeat(32)}`,
  queue: 'muster',
  input: { tasks: [{ job: { work: { kind: 'prove' } }, bytes: 1, seconds: 0.1 }], class: { gib: 1, alone: false } },
  jobs: [JOB],
  owner: 'alice',
};

/** The plan with something else in its one workflow. */
const planWith = (change: object) => JSON.stringify({ workflows: [{ ...workflow, ...change }] });

test('a plan is read as it was written', () => {
  assert.deepEqual(parsePlan(planWith({})), [workflow]);
  assert.deepEqual(parsePlan('{"workflows": []}'), []);
  assert.deepEqual(parsePlan(planWith({ more: 1 })), [workflow], 'later versions may say more');
  assert.equal(parsePlan(planWith({ owner: undefined }))[0]?.owner, '');
});

test('what is wrong with a plan is named', () => {
  const threshold = (number: string) => planWith({ input: { tasks: [{ job: 'T' }] } }).replace('"T"', number);
  const cases: [string, string][] = [
    ['', 'plan: '],
    ['[]', 'plan: not an object'],
    ['{}', 'workflows: missing'],
    ['{"workflows": {}}', 'workflows: not a list'],
    ['{"workflows": [7]}', 'workflows[0]: not an object'],
    [planWith({ type: undefined }), 'workflows[0].type: missing'],
    [planWith({ id: '' }), 'workflows[0].id: not a text'],
    [planWith({ queue: 1 }), 'workflows[0].queue: not a text'],
    [planWith({ input: [] }), 'workflows[0].input: not an object'],
    [planWith({ owner: 1 }), 'workflows[0].owner: not a text'],
    [planWith({ jobs: [] }), 'workflows[0].jobs: empty'],
    [planWith({ jobs: [JOB, '0x1'] }), 'workflows[0].jobs[1]: not 0x and 64 hex digits'],
    [threshold('9007199254740992'), 'workflows[0].input.tasks[0].job: too large'],
    [threshold('18446744073709551615'), 'workflows[0].input.tasks[0].job: too large'],
  ];
  for (const [text, message] of cases) {
    assert.throws(
      () => parsePlan(text),
      (error) => error instanceof BadInput && error.message.startsWith(message),
      message,
    );
  }
  assert.equal(parsePlan(threshold('9007199254740991')).length, 1);
});

test('an answer is an outcome for each job', () => {
  const failed = (fault: string, reason: string) => ({ failed: { fault, reason } });
  const outcomes = ['done', failed('rejected', 'rejected: member 3'), failed('dead', 'killed\ntwice')] as const;
  const jobs = [JOB, JOB, JOB];
  const lines = parseOutcomes([...outcomes], { ...workflow, jobs }).map((outcome) => line(JOB, outcome));
  assert.deepEqual(lines, [`${JOB} proven`, `${JOB} failed: rejected: member 3`, `${JOB} failed: dead: killed twice`]);
  for (const answer of [null, [], ['done', 'done'], ['made'], [{ failed: 'rejected' }], [{ failed: {} }]]) {
    assert.throws(() => parseOutcomes(answer, workflow), /prove-1a.*not an outcome for each job/);
  }
});

test('the exit status of bad input is 2, before anybody is asked', () => {
  const program = fileURLToPath(new URL('../src/relayer.js', import.meta.url));
  const run = (args: string[], input: string) => {
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], { input, encoding: 'utf8' });
    return [status, stderr];
  };
  assert.deepEqual(run([], '{}'), [2, 'error: workflows: missing\n']);
  assert.deepEqual(run(['a', 'b'], ''), [2, 'error: arguments: one file, or none for standard input\n']);
});
