import type { FastifyInstance } from "fastify";

/** One part of the process; it throws, or says false, while it cannot serve. */
export type HealthCheck = () => Promise<boolean> | boolean;

const LIMIT_MS = 2_000;

async function passes(check: HealthCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, LIMIT_MS, false);
  });
  try {
    return await Promise.race([Promise.resolve().then(check), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * /healthz answers while the process runs; /readyz with 200 while every part can serve, else 503
 * and which part cannot.
 */
export function serveHealth(
  app: FastifyInstance,
  checks: Readonly<Record<string, HealthCheck>>,
): void {
  app.get("/healthz", { exposeHeadRoute: false }, async () => ({ status: "ok" }));
  app.get("/readyz", { exposeHeadRoute: false }, async (_, reply) => {
    const parts = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await passes(check)] as const),
    );
    const ready = parts.every(([, good]) => good);
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? "ready" : "not ready", parts: Object.fromEntries(parts) });
  });
}
