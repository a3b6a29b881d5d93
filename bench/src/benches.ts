/** The benches by name. Those that start from the same rows share an installation. */
import { alarms } from "./alarms.ts";
import { edgesHeld } from "./edges-held.ts";
import { startFleet } from "./fleet.ts";
import { type Installation, startInstallation } from "./installation.ts";
import { joins } from "./join.ts";
import { listCall, type Tenant } from "./list-call.ts";
import { lists } from "./lists.ts";
import { oneEdit } from "./one-edit.ts";
import { policy } from "./policy.ts";
import { push } from "./push.ts";
import type { Result } from "./report.ts";
import { scopedRead } from "./scoped-read.ts";
import { sectionBytes } from "./section-bytes.ts";
import { firstEnterprise, seedCpes, seedUser } from "./seed.ts";
import { startup } from "./startup.ts";
import { reconnectStorm } from "./storm.ts";
import { telemetry } from "./telemetry.ts";
import { throughput } from "./throughput.ts";
import { waitingFor } from "./waiting.ts";
import { writeCall } from "./write.ts";

export interface Bench {
  readonly names: readonly string[];
  /**
   * Gives the values of those that are wanted, each as soon as it is there.
   * @param nodes sizes that were asked for instead of the bench's own; benches of one size ignore them
   */
  run(wanted: ReadonlySet<string>, nodes: readonly number[]): AsyncIterable<Result>;
}

async function* ofRows(wanted: ReadonlySet<string>): AsyncIterable<Result> {
  const installation: Installation = await startInstallation();
  try {
    const { sql } = installation;
    const [enterprise = 0] = await seedCpes(sql, 100_000, 1_000);
    const tenant: Tenant = { enterprise, userId: await seedUser(sql, enterprise) };
    if (wanted.has("list")) {
      yield* await waitingFor("measures lists", () =>
        listCall(installation, tenant, firstEnterprise),
      );
    }
    if (wanted.has("scope")) {
      yield* await waitingFor("measures reads", () => scopedRead(installation, tenant));
    }
    if (wanted.has("write")) {
      yield* await waitingFor("measures saves", () => writeCall(installation, tenant));
    }
  } finally {
    await installation.close();
  }
}

/** A bench in an installation of its own, which is empty. */
const alone = (
  bench: (installation: Installation, nodes?: number) => Promise<Result[]> | AsyncIterable<Result>,
) =>
  async function* (_: ReadonlySet<string>, [nodes]: readonly number[]): AsyncIterable<Result> {
    const installation = await startInstallation();
    try {
      yield* await bench(installation, nodes);
    } finally {
      await installation.close();
    }
  };

/** Nodes of the space that `edit` edits in; 10,000 take an hour. */
const spaceSizes = [100, 1_000];

/** Ten spaces of one POP and 99 CPEs each: a thousand edges. */
async function* ofFleet(wanted: ReadonlySet<string>): AsyncIterable<Result> {
  const installation = await startInstallation();
  try {
    const fleet = await startFleet(installation, { spaces: 10, cpesOfSpace: 99 });
    try {
      if (wanted.has("push")) yield* await push(installation, fleet);
      if (wanted.has("storm")) yield* await reconnectStorm(installation);
    } finally {
      await fleet.stop();
    }
  } finally {
    await installation.close();
  }
}

export const benches: readonly Bench[] = [
  { names: ["list", "scope", "write"], run: ofRows },
  { names: ["edges"], run: alone(edgesHeld) },
  { names: ["telemetry"], run: alone(telemetry) },
  { names: ["lists"], run: alone(lists) },
  { names: ["push", "storm"], run: ofFleet },
  {
    names: ["edit"],
    run: (_, nodes) => oneEdit(nodes.length > 0 ? nodes : spaceSizes),
  },
  { names: ["sections"], run: sectionBytes },
  { names: ["alarms"], run: alone(alarms) },
  { names: ["join"], run: joins },
  { names: ["throughput"], run: throughput },
  { names: ["policy"], run: policy },
  { names: ["startup"], run: startup },
];
