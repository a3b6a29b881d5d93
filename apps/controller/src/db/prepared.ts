import pg from "pg";

/**
 * Statements that come again and again are prepared by name, once a connection: to parse, rewrite
 * (row-level security adds its own) and plan the text of a list takes PostgreSQL three times as
 * long as to run it. Texts are made by code, with all values as parameters, so that there are few;
 * those that are no two times alike (a list of ids written out) never get a name.
 */

/** Times that a text is seen before it gets a name. */
const often = 3;
/** Named statements at most: each takes memory on each connection. */
const maxNames = 250;
/** Maximum texts that are counted; then counting starts again. */
const maxCounted = 2_000;

/** What a search matches decides between the trigram index and the order of the list. */
const needsValues = /\bilike\b/i;

/** PostgreSQL's feature_not_supported: among others "cached plan must not change result type". */
const planOutdated = "0A000";

interface Names {
  /** The name under which a text is to be prepared; undefined while it is not worth it. */
  of(text: string): string | undefined;
  /** Texts get new names from now on: a migration of a newer controller changed the tables. */
  forget(): void;
}

/** Gives names to texts that come often; the same on every connection. */
export function createNames(): Names {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  let made = 0;
  return {
    of(text) {
      const known = names.get(text);
      if (known !== undefined || names.size >= maxNames) return known;
      const count = (counts.get(text) ?? 0) + 1;
      if (count < often) {
        if (counts.size >= maxCounted) counts.clear();
        counts.set(text, count);
        return undefined;
      }
      counts.delete(text);
      made += 1;
      names.set(text, `weft_${made}`);
      return names.get(text);
    },
    forget: () => names.clear(),
  };
}

type Query = (text: unknown, values?: unknown, callback?: unknown) => unknown;

/**
 * A connection that prepares what is asked often. Prepared are only statements with parameters whose result is
 * awaited as a promise, which are all of Kysely's; everything else passes as it is. On a pipeline, what is sent before
 * an answer is waited for goes out as one packet: BEGIN with the statements of a reader, statements side by side, COMMIT
 * with what goes out with it. That saves both ends most of their writes and reads.
 */
class PreparingClient extends pg.Client {
  #isGathering = false;

  /** @param names shared by the connections of one pool, which ask the same texts. */
  constructor(config: string | pg.ClientConfig | undefined, names: Names) {
    super(config);
    const plain = super.query.bind(this) as Query;
    const query: Query = (text, values, callback) => {
      if (this.pipeline) this.#gather();
      const isOurs = typeof text === "string" && Array.isArray(values) && callback === undefined;
      const isPlannedOnce = isOurs && values.length > 0 && !needsValues.test(text);
      const name = isPlannedOnce ? names.of(text) : undefined;
      if (name === undefined) return plain(text, values, callback);
      return (plain({ name, text, values }) as Promise<unknown>).catch((error: unknown) => {
        if ((error as { code?: string }).code === planOutdated) names.forget();
        throw error;
      });
    };
    this.query = query as typeof this.query;
  }

  /** What is sent until all settled promises have gone on goes out as one packet: none of it waits for anything. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const { stream } = this.connection;
    stream.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }
}

/** The client of a pool, with names of its own. */
export function preparingClient(): typeof pg.Client {
  const names = createNames();
  return class extends PreparingClient {
    constructor(config?: string | pg.ClientConfig) {
      super(config, names);
    }
  };
}
