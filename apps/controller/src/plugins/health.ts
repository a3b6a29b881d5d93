import type { FastifyInstance } from "fastify";

/** One part of the process; it throws, or says false, while it cannot serve. */
export type HealthCheck = () => Promise<boolean> | boolean;

const limitMs = 2_000;

async function passes(check: HealthCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limitMs, false);
  });
  try {
    return await Promise.race([Promise.resolve().then(check), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

async function run(
  checks: Readonly<Record<string, HealthCheck>>,
): Promise<Readonly<Record<string, boolean>>> {
  const parts = Object.entries(checks).map(
    async ([name, check]) => [name, await passes(check)] as const,
  );
  return Object.fromEntries(await Promise.all(parts));
}

const isGood = (parts: Readonly<Record<string, boolean>>): boolean =>
  Object.values(parts).every((good) => good);

/**
 * /healthz answers while the process runs; /readyz with 200 while every part can serve, else 503
 * and which part cannot. A part that configuration does without is named as well when it cannot,
 * and the status is "degraded": a balancer that took the process away would take more than it saves.
 */
export function serveHealth(
  app: FastifyInstance,
  checks: Readonly<Record<string, HealthCheck>>,
  dispensable: Readonly<Record<string, HealthCheck>> = {},
): void {
  app.get("/healthz", { exposeHeadRoute: false }, async () => ({ status: "ok" }));
  app.get("/readyz", { exposeHeadRoute: false }, async (_, reply) => {
    const [parts, more] = await Promise.all([run(checks), run(dispensable)]);
    const isReady = isGood(parts);
    const status = isReady ? (isGood(more) ? "ready" : "degraded") : "not ready";
    return reply.code(isReady ? 200 : 503).send({ status, parts: { ...parts, ...more } });
  });
}
