/**
 * Every large list at its first page, over 100,000 CPEs and 1,000,000 policy objects: the time of the
 * whole call (session, permission, scope, rows, count, answer) against that of its own statements.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import Fastify from "fastify";
import pg from "pg";
import { root } from "./child.ts";
import type { Installation } from "./installation.ts";
import { loadPools, type Pools, type Statement } from "./product.ts";
import { type Result, ratioResult } from "./report.ts";
import { alternate, defaultRounds, median, summarise } from "./rounds.ts";
import { firstEnterprise, seedCpes } from "./seed.ts";
import { type ListRequest, listsOf, seedLists } from "./seed-lists.ts";
import { waitingFor } from "./waiting.ts";

/** What is used of the controller's application (apps/controller/src/start/app.ts). */
interface App {
  inject(options: object): Promise<{ body: string }>;
  close(): Promise<void>;
}
interface AppModule {
  createApp(options: { pools: Pools; logger: unknown }): Promise<App>;
}

/** Calls per round: a round gives their median. */
const callsOfRound = 20;

class Lists {
  readonly #app: App;
  readonly #pools: Pools;
  readonly #plain: pg.Pool;
  readonly #token: string;

  constructor(app: App, pools: Pools, plain: pg.Pool, token: string) {
    this.#app = app;
    this.#pools = pools;
    this.#plain = plain;
    this.#token = token;
  }

  async #call(path: string): Promise<number> {
    const headers = { authorization: this.#token };
    const { body } = await this.#app.inject({ method: "GET", url: path, headers });
    const { code, msg, count } = JSON.parse(body) as { code: number; msg: string; count: number };
    if (code !== 0 && code !== 200) throw new Error(`${path}: ${code} ${msg}`);
    return count;
  }

  /** The statements of the list itself: those that find who asks are the call's own cost. */
  async #statements(path: string): Promise<Statement[]> {
    const seen: Statement[] = [];
    const stop = this.#pools.onQuery(({ kind, sql, parameters }) => {
      if (kind === "query" && !/from session s/.test(sql)) {
        seen.push({ text: sql, values: [...parameters] });
      }
    });
    await this.#call(path);
    stop();
    return seen;
  }

  async result({ what, path }: ListRequest): Promise<Result> {
    const statements = await this.#statements(path);
    const count = await this.#call(path);
    const bare = async () => {
      for (const [at, { text, values }] of statements.entries()) {
        await this.#plain.query({ name: `${what}-${at}`.slice(0, 60), text, values });
      }
    };
    const rounds = await alternate(
      () => medianMs(bare),
      () => medianMs(() => this.#call(path)),
    );
    const names = {
      bench: "lists",
      what: `${what} (${count.toLocaleString("en-US")} match)`,
      yardstick: `its ${statements.length} statements`,
      unit: "ms",
    };
    return ratioResult(names, summarise(rounds), defaultRounds, { atMost: 2 });
  }

  async close(): Promise<void> {
    await this.#app.close();
    await this.#pools.end();
    await this.#plain.end();
  }
}

/** ms that the work takes, one after the other; the median. */
async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < callsOfRound; at += 1) {
    const from = performance.now();
    await work();
    times.push(performance.now() - from);
  }
  return median(times);
}

async function open({ databaseUrl }: Installation, token: string): Promise<Lists> {
  const pools = await (await loadPools()).openPools(databaseUrl);
  const module = pathToFileURL(join(root, "apps/controller/src/start/app.ts")).href;
  const { createApp } = (await import(module)) as AppModule;
  const { log } = Fastify({ logger: { level: "silent" } });
  const app = await createApp({ pools, logger: log });
  const options = "-c search_path=weft,public -c timezone=UTC";
  const plain = new pg.Pool({ connectionString: databaseUrl, max: 1, options });
  return new Lists(app, pools, plain, token);
}

/** The values of the large lists, each as soon as it is there. @param installation an empty one */
export async function* lists(installation: Installation): AsyncIterable<Result> {
  await seedCpes(installation.sql, 100_000, 1_000);
  const seeded = await waitingFor("seeds the other lists", () => seedLists(installation.sql));
  const opened = await open(installation, await installation.token(firstEnterprise));
  try {
    for (const list of listsOf(seeded)) {
      yield await waitingFor(`measures ${list.what}`, () => opened.result(list));
    }
  } finally {
    await opened.close();
  }
}
