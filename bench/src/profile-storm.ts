// Where the CPU of a return goes: kills a controller under its fleet, starts it again, and prints what each process took.
// `node tools/src/run.mjs bench/src/profile-storm.ts`, with `--edges 100` and `--rounds 3`. `--trees ../before,.` starts the
// controllers of other working trees in turn, under one fleet; `--statements` prints what took most of PostgreSQL, and
// `--profile FOLDER` keeps CPU profiles of the last round, by Node.
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { root } from "./child.ts";
import { numberOf, startFleet, until } from "./fleet.ts";
import { closeAll, type HowToStart, type Installation, startInstallation } from "./installation.ts";
import { cpuSeconds, serversByRole } from "./process-usage.ts";
import { countStatements, forgetStatements, printStatements } from "./statements.ts";
import { steadyMs } from "./storm.ts";

const { values } = parseArgs({
  options: {
    edges: { type: "string", default: "100" },
    rounds: { type: "string", default: "3" },
    trees: { type: "string", default: root },
    statements: { type: "boolean", default: false },
    profile: { type: "string" },
  },
});

/** What an edge sends once its connection stands (metrics, measures) comes within this time. */
const settleMs = 15_000;

/** CPU ms so far: the controller with its children, all of PostgreSQL, and PostgreSQL by role. */
function usage({ pids }: Installation) {
  const { controller, database } = pids();
  return {
    controller: 1_000 * cpuSeconds(controller),
    postgres: 1_000 * cpuSeconds(database),
    byRole: serversByRole(database),
  };
}

async function storm(installation: Installation, edges: number, how: HowToStart): Promise<void> {
  const { sql } = installation;
  const epochs = "select sum(session_epoch) as n from node_status";
  const commits =
    "select xact_commit as n from pg_stat_database where datname = current_database()";
  const sockets = await numberOf(sql, epochs);
  const commitsBefore = await numberOf(sql, commits);
  if (values.statements) await forgetStatements(installation);
  // Its PostgreSQL ends with it, and is started again: what that has used by then is of the start.
  await installation.stopController("SIGKILL");
  await installation.startController(how);
  const started = usage(installation);
  const isBack = async () => (await numberOf(sql, epochs)) >= sockets + edges;
  await until(isBack, "all edges back", 300_000);
  const back = usage(installation);
  await sleep(settleMs);
  const settled = usage(installation);
  const commitsOfReturn = (await numberOf(sql, commits)) - commitsBefore;
  await sleep(settleMs);
  const idle = usage(installation);
  const ofEdge = (ms: number) => (ms / edges).toFixed(2);
  const own = (what: "controller" | "postgres") =>
    settled[what] - started[what] - (idle[what] - settled[what]);
  console.log(
    `start: controller ${started.controller} ms CPU, PostgreSQL ${started.postgres} ms\n` +
      `from then on for each of ${edges} edges: controller ${ofEdge(own("controller"))} ms, ` +
      `PostgreSQL ${ofEdge(own("postgres"))} ms (all back after ` +
      `${ofEdge(back.controller - started.controller)} and ${ofEdge(back.postgres - started.postgres)}; ` +
      `${settleMs / 1_000} s of rest, taken off: ${ofEdge(idle.controller - settled.controller)} and ` +
      `${ofEdge(idle.postgres - settled.postgres)}); ${commitsOfReturn} commits in all`,
  );
  const roles = [...settled.byRole].map(([role, ms]) => `${role} ${ofEdge(ms)}`);
  console.log(`  PostgreSQL by role: ${roles.join(", ")}`);
  if (values.statements) await printStatements(installation, edges);
}

const edges = Number(values.edges);
const rounds = Number(values.rounds);
const trees = values.trees.split(",");

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void closeAll().finally(() => process.exit(1)));
}

const installation = await startInstallation();
try {
  if (values.statements) await countStatements(installation);
  const fleet = await startFleet(installation, { spaces: 1, cpesOfSpace: edges - 1 });
  try {
    for (let round = 1; round <= rounds; round++) {
      for (const tree of trees) {
        await sleep(steadyMs);
        console.log(`round ${round}, ${tree}`);
        const isLast = round === rounds;
        const folder = isLast && values.profile;
        const nodeArgs = folder ? ["--cpu-prof", "--cpu-prof-dir", folder] : [];
        await storm(installation, edges, { tree: resolve(tree), nodeArgs });
        // A profile is written by a process that ends in order.
        if (folder) {
          await installation.stopController("SIGTERM");
          await installation.startController();
        }
      }
    }
  } finally {
    await fleet.stop();
  }
} finally {
  await installation.close();
}
