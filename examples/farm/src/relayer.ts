// Has a farm prove what `muster-farm plan` planned, and waits for it. See README.md.
// SPDX-License-Identifier: MIT OR Apache-2.0
import { readFileSync } from 'node:fs';

import { Client, Connection, WorkflowFailedError } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';

import { BadInput, line, parseOutcomes, parsePlan, type Outcome, type Workflow } from './plan.js';
import { Sealed } from './sealed.js';

/** Workflows that are started, or waited for, at once. */
const AT_ONCE = 64;
const FAILED = 1;
const BAD_INPUT = 2;
const UNANSWERED = 3;

/** The text of the plan: of the file that is named, or else from standard input. */
function readPlan(args: string[]): string {
  if (args.length > 1) throw new BadInput('arguments: one file, or none for standard input');
  try {
    return readFileSync(args[0] ?? 0, 'utf8');
  } catch (error) {
    throw new BadInput(`plan: ${(error as Error).message}`);
  }
}

/** Server, namespace, certificates and API key are named as for all of Temporal's tools. */
async function connect(): Promise<Client> {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const codecKey = process.env.MUSTER_FARM_CODEC_KEY;
  const payloadCodecs = codecKey ? [new Sealed(codecKey, namespace)] : [];
  const connection = await Connection.connect(connectionOptions);
  return new Client({ connection, namespace, dataConverter: { payloadCodecs } });
}

/** Has the jobs of a workflow done, and says of each what came of it. */
async function done(client: Client, workflow: Workflow): Promise<Outcome[]> {
  const { type, id, queue, input, jobs, owner } = workflow;
  // A workflow that is at work already is this one. One that ended is asked again: what it made is in the store.
  const handle = await client.workflow.start(type, {
    workflowId: id,
    taskQueue: queue,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    ...(owner && { priority: { fairnessKey: owner } }),
  });
  try {
    return parseOutcomes(await handle.result(), workflow);
  } catch (error) {
    // Somebody cancelled or terminated it.
    if (!(error instanceof WorkflowFailedError)) throw error;
    const reason = error.cause?.message ?? error.message;
    return jobs.map(() => ({ failed: { fault: 'no outcome', reason } }));
  }
}

/** Prints a line for each job as it ends. Gives how many failed. */
async function relay(client: Client, workflows: Workflow[]): Promise<number> {
  let failed = 0;
  const left = workflows.values();
  const hand = async () => {
    for (const workflow of left) {
      const outcomes = await done(client, workflow);
      outcomes.forEach((outcome, i) => console.log(line(workflow.jobs[i]!, outcome)));
      failed += outcomes.filter((outcome) => outcome !== 'done').length;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, hand));
  return failed;
}

try {
  const workflows = parsePlan(readPlan(process.argv.slice(2)));
  const client = await connect();
  try {
    if (await relay(client, workflows)) process.exitCode = FAILED;
  } finally {
    await client.connection.close();
  }
} catch (error) {
  const { message, cause } = error as Error;
  console.error(`error: ${message}${cause instanceof Error ? `: ${cause.message}` : ''}`);
  process.exitCode = error instanceof BadInput ? BAD_INPUT : UNANSWERED;
}
