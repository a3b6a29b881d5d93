// Where the CPU of a save goes: edits the metric of a static route through the API, as the bench `write` does, and prints
// what each save took of every process. `node tools/src/run.mjs bench/src/profile-save.ts`, with `--seconds 10`,
// `--clients 16` and `--rounds 3`. `--trees .,../before` starts the controllers of other working trees in turn, on one
// database: the newer tree goes first, as no controller starts on a database of a newer one. `--statements` prints what
// took most of PostgreSQL, and `--profile FOLDER` keeps CPU profiles of Node.
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { root } from "./child.ts";
import { answersPerSecond } from "./http-load.ts";
import { closeAll, type Installation, startInstallation } from "./installation.ts";
import { cpuSeconds, serversByRole } from "./process-usage.ts";
import { seedCpes, seedUser } from "./seed.ts";
import { countStatements, forgetStatements, printStatements } from "./statements.ts";
import { routeEdits } from "./write.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    clients: { type: "string", default: "16" },
    rounds: { type: "string", default: "3" },
    trees: { type: "string", default: root },
    statements: { type: "boolean", default: false },
    profile: { type: "string" },
  },
});

const [seconds, clients, rounds] = [values.seconds, values.clients, values.rounds].map(Number) as [
  number,
  number,
  number,
];
/** What a start leaves to do, and compiles that are due. */
const settleMs = 3_000;

/** CPU ms so far. */
function usage({ pids }: Installation) {
  const { controller, database } = pids();
  const own = process.cpuUsage();
  return {
    caller: (own.user + own.system) / 1_000,
    controller: 1_000 * cpuSeconds(controller),
    roles: serversByRole(database),
  };
}

async function saves(installation: Installation, edits: (at: number) => Buffer): Promise<void> {
  if (values.statements) await forgetStatements(installation);
  const from = usage(installation);
  const [{ n: before }] = (await installation.sql.query("select count(*)::int as n from audit"))
    .rows;
  await answersPerSecond({
    port: installation.port,
    connections: clients,
    ms: 1_000 * seconds,
    request: edits,
  });
  await sleep(settleMs);
  const [{ n: after }] = (await installation.sql.query("select count(*)::int as n from audit"))
    .rows;
  const to = usage(installation);
  const count = after - before;
  const each = (ms: number) => (ms / count).toFixed(2);
  const roles = [...to.roles]
    .map(([role, ms]) => [role, ms - (from.roles.get(role) ?? 0)] as const)
    .filter(([, ms]) => ms > 0);
  console.log(
    `${count} saves; CPU ms of each: controller ${each(to.controller - from.controller)}, ` +
      `caller ${each(to.caller - from.caller)}, ` +
      `PostgreSQL ${each(roles.reduce((sum, [, ms]) => sum + ms, 0))} ` +
      `(${roles.map(([role, ms]) => `${role} ${each(ms)}`).join(", ")})`,
  );
  if (values.statements) await printStatements(installation, count);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void closeAll().finally(() => process.exit(1)));
}

const trees = values.trees.split(",").map((tree) => resolve(tree));
const installation = await startInstallation();
try {
  if (values.statements) await countStatements(installation);
  const { sql } = installation;
  const [enterprise = 0] = await seedCpes(sql, 1_600, 16);
  const userId = await seedUser(sql, enterprise);
  const edits = await routeEdits(installation, { enterprise, userId }, clients);
  for (let round = 1; round <= rounds; round += 1) {
    for (const tree of trees) {
      const folder = round === rounds ? values.profile : undefined;
      const nodeArgs = folder ? ["--cpu-prof", "--cpu-prof-dir", folder] : [];
      await installation.stopController("SIGTERM");
      await installation.startController({ tree, nodeArgs });
      await sleep(settleMs);
      console.log(`round ${round}, ${tree}`);
      await saves(installation, edits);
    }
  }
  // A profile is written by a process that ends in order.
  await installation.stopController("SIGTERM");
} finally {
  await installation.close();
}
