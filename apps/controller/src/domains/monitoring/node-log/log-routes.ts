import type { NodeKind } from "@weft/contract/domains/devices/enums.ts";
import { cpeLog, popLog } from "@weft/contract/domains/monitoring/node-log.ts";
import type { FastifyInstance } from "fastify";
import type { HandlerContext } from "#kernel/api.ts";
import { mount, mountWithMetrics } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import type { Ranking } from "#metrics-store/flow-store.ts";
import { readMetrics } from "#metrics-store/queries.ts";
import { ownRecords } from "./read.ts";
import { placed, toSession, toVisit } from "./records.ts";
import { hasRecords, listTransitions } from "./store.ts";

const dayMs = 86_400_000;

interface LogQuery {
  readonly id: number;
  readonly startTime: Date | null;
  readonly endTime: Date | null;
}

/** The range that was asked for; without one, the last 24 hours. */
const spanOf = ({ startTime, endTime }: LogQuery, now: number) => {
  const end = endTime ?? new Date(now);
  return { startTime: startTime ?? new Date(end.getTime() - dayMs), endTime: end };
};

const refused = { denied: true } as const;

/** Which names a ranking is of, and of which records. */
const rankings: Readonly<
  Record<
    "appRank" | "userRank" | "appAlarmRank" | "urlAlarmRank",
    { by: Ranking; only: typeof refused | null }
  >
> = {
  appRank: { by: "application", only: null },
  userRank: { by: "user", only: null },
  appAlarmRank: { by: "application", only: refused },
  urlAlarmRank: { by: "url", only: refused },
};

/** Logs of nodes of one kind (section 2.4). */
function mountLogs(app: FastifyInstance, calls: typeof popLog, kind: NodeKind): void {
  const records = async (ctx: HandlerContext, input: LogQuery) => {
    if (!(await hasRecords(ctx, input.id, kind))) refuse("notFound");
    const { startTime, endTime } = spanOf(input, Date.now());
    return ownRecords(ctx, input.id, { from: startTime.getTime(), to: endTime.getTime() });
  };
  for (const tab of ["log", "lineLog"] as const) {
    mount(app, calls[tab], async (input, ctx) => {
      if (!(await hasRecords(ctx, input.id, kind))) refuse("notFound");
      const span = spanOf(input, Date.now());
      return listTransitions(ctx, { id: input.id, ...span, lines: tab === "lineLog" }, input);
    });
  }
  for (const tab of ["appRank", "userRank", "appAlarmRank", "urlAlarmRank"] as const) {
    const { by, only } = rankings[tab];
    mountWithMetrics(app, calls[tab], async (input, ctx) => {
      const filter = { ...(await records(ctx, input)), ...only };
      const { rows, count } = await readMetrics(ctx, ({ flows }) => flows.rank(by, filter, input));
      return { rows: [...rows], count };
    });
  }
  mountWithMetrics(app, calls.urlVisitLog, async (input, ctx) => {
    const filter = { ...(await records(ctx, input)), visits: true as const };
    return placed(await readMetrics(ctx, ({ flows }) => flows.list(filter, input)), input, toVisit);
  });
  mountWithMetrics(app, calls.con, async (input, ctx) => {
    const filter = await records(ctx, input);
    const page = await readMetrics(ctx, ({ flows }) => flows.connections(filter, input));
    return placed(page, input, ({ at, destination_port, ...row }) => ({
      ...row,
      createTime: new Date(at),
      destinationPort: destination_port,
    }));
  });
}

/** Calls of /customer/cpeLog and /customer/popLog. */
export function mountNodeLogs(app: FastifyInstance): void {
  mountLogs(app, cpeLog, "cpe");
  mountLogs(app, popLog, "pop");
  mountWithMetrics(app, cpeLog.session, async (input, ctx) => {
    if (!(await hasRecords(ctx, input.id, "cpe"))) refuse("notFound");
    const { startTime, endTime } = spanOf(input, Date.now());
    const range = { from: startTime.getTime(), to: endTime.getTime() };
    const filter = ownRecords(ctx, input.id, range);
    return placed(
      await readMetrics(ctx, ({ flows }) => flows.list(filter, input)),
      input,
      toSession,
    );
  });
}
