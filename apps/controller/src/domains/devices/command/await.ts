import { poolFor, scopedRead } from "#db/pool.ts";
import type { Api, Caller } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { type CommandState, readCommand } from "./store.ts";

/** Ms between checks: most answers come within a second, and a trace takes half a minute. */
const pauses = [60, 100, 150, 200, 300] as const;
const slowest = 500;

const silent = { reason: ["设备没有在时限内应答", "the device did not answer in time"] } as const;
const gone = {
  reason: [
    "设备已移到其他企业或已删除",
    "the device moved to another enterprise or was removed meanwhile",
  ],
} as const;

/**
 * Waits, without a transaction, until the command is over.
 * @throws Refusal notAllowedNow when the device refused it, failed at it or never answered
 */
export async function awaitAnswer(
  { pools, changeHint }: Api,
  caller: Caller,
  id: number,
  untilMs: number,
): Promise<CommandState> {
  // Gateways check immediately instead of at their next poll.
  changeHint.send();
  const end = performance.now() + untilMs;
  const readState = () =>
    scopedRead(poolFor(pools, caller.scope), caller.scope, (db) => readCommand(db, id));
  for (let turn = 0; ; turn += 1) {
    const state = await readState();
    if (!state) return refuse("notAllowedNow", gone);
    if (state.status === "expired" || performance.now() > end) {
      return refuse("notAllowedNow", silent);
    }
    if (state.status === "done") return state;
    if (state.status === "failed" || state.status === "refused") {
      const answer = state.reason ?? state.status;
      return refuse("notAllowedNow", {
        reason: [`设备：${answer}`, `the device reports: ${answer}`],
      });
    }
    await new Promise((resolve) => setTimeout(resolve, pauses[turn] ?? slowest));
  }
}
