import type { FastifyInstance } from "fastify";

/** One part of the process; it throws, or says false, while it cannot serve. */
export type HealthCheck = () => Promise<boolean> | boolean;

const limitMs = 2_000;

/** `no answer`: the check was still under way after two seconds. */
type State = "ready" | "not ready" | "no answer";

async function stateOf(check: HealthCheck): Promise<State> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<State>((resolve) => {
    timer = setTimeout(resolve, limitMs, "no answer");
  });
  const now = async (): Promise<State> => ((await check()) ? "ready" : "not ready");
  try {
    return await Promise.race([now(), late]);
  } catch {
    return "not ready";
  } finally {
    clearTimeout(timer);
  }
}

/** A check with what it found last, for as long as it finds the same. */
interface Watched {
  readonly name: string;
  readonly check: HealthCheck;
  /** False: configuration does without it. */
  readonly required: boolean;
  state: State | null;
  since: Date;
}

const watch = (
  checks: Readonly<Record<string, HealthCheck>>,
  required: boolean,
): readonly Watched[] =>
  Object.entries(checks).map(([name, check]) => ({
    name,
    check,
    required,
    state: null,
    since: new Date(),
  }));

async function pollState(watched: Watched): Promise<Watched & { readonly state: State }> {
  const state = await stateOf(watched.check);
  if (state !== watched.state) Object.assign(watched, { state, since: new Date() });
  return { ...watched, state };
}

const areReady = (checked: readonly Watched[]): boolean =>
  checked.every(({ state }) => state === "ready");

export interface Health {
  /** Asks all parts now. */
  poll(): Promise<readonly (Watched & { readonly state: State })[]>;
}

/** @param dispensable what configuration does without */
export function watchHealth(
  checks: Readonly<Record<string, HealthCheck>>,
  dispensable: Readonly<Record<string, HealthCheck>> = {},
): Health {
  const watched = [...watch(checks, true), ...watch(dispensable, false)];
  return { poll: () => Promise.all(watched.map(pollState)) };
}

/**
 * /healthz answers while the process runs; /readyz with 200 while every part can serve, else 503
 * and which part cannot. A part that configuration does without is named as well when it cannot,
 * and the status is "degraded": a balancer that took the process away would take more than it saves.
 * `checks` has the state of each and since when it was seen, by a request to /readyz or by the process's own row.
 * Reasons are in the log: this answers everyone.
 */
export function serveHealth(app: FastifyInstance, health: Health): void {
  app.get("/healthz", { exposeHeadRoute: false }, async () => ({ status: "ok" }));
  app.get("/readyz", { exposeHeadRoute: false }, async (_, reply) => {
    const checked = await health.poll();
    const isReady = areReady(checked.filter(({ required }) => required));
    const status = isReady ? (areReady(checked) ? "ready" : "degraded") : "not ready";
    const parts = Object.fromEntries(checked.map(({ name, state }) => [name, state === "ready"]));
    const list = checked.map(({ check: _check, ...one }) => one);
    return reply.code(isReady ? 200 : 503).send({ status, parts, checks: list });
  });
}
