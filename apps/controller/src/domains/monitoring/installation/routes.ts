import { expiryDays, installationStatus } from "@weft/contract/domains/monitoring/installation.ts";
import type { FastifyInstance } from "fastify";
import { metricsFor } from "#kernel/metrics-access.ts";
import { mountAfter } from "#kernel/mount.ts";
import { atMost } from "#telemetry/at-most.ts";
import { countInstallation } from "#telemetry/installation-query.ts";
import { statusOf } from "./rules.ts";
import { describePostgres, listProcesses, readKeys } from "./store.ts";

/** GET /customer/installation/status. A store that does not answer within two seconds is one of its findings. */
export function installationRoutes(app: FastifyInstance): void {
  const { pools } = app.weft;
  const { store } = metricsFor(app, installationStatus);
  const count = atMost(() => countInstallation(pools));
  const describeMetrics = store && atMost(() => store.describe());
  mountAfter(
    app,
    installationStatus,
    () => Promise.all([count(), describeMetrics?.()]),
    async (_, ctx, [counts, clickhouse]) =>
      statusOf({
        now: new Date(),
        processes: await listProcesses(ctx),
        counts,
        clickhouse,
        postgres: await describePostgres(ctx),
        keys: await readKeys(ctx, expiryDays),
      }),
    { unscopedReason: "processes, queues and stores are those of the installation" },
  );
}
