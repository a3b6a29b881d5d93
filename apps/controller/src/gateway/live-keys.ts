import { sql } from "kysely";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { replaceSecret } from "#kernel/key-file.ts";
import type { Vault } from "#kernel/vault.ts";
import type { Log } from "./clock.ts";
import {
  type ControllerIdentity,
  type FleetIdentity,
  identityFile,
  openIdentity,
  openSealed,
} from "./identity.ts";

interface Row {
  readonly key: string | null;
  readonly sealed: Buffer | null;
  readonly nextKey: string | null;
  readonly next: Buffer | null;
}

/** The controller's keys as the database has them: all gateways follow it when an operator changes them. */
export class LiveKeys implements FleetIdentity {
  readonly #pools: Pools<Database>;
  readonly #vault: Vault;
  readonly #file: string;
  readonly #logger: Log;
  #present: ControllerIdentity;
  #next: ControllerIdentity | null = null;

  private constructor(deps: LiveKeysDeps, present: ControllerIdentity) {
    this.#pools = deps.pools;
    this.#vault = deps.vault;
    this.#file = identityFile(deps.dataDir);
    this.#logger = deps.logger;
    this.#present = present;
  }

  /** @throws Error with a message for the operator */
  static async open(deps: LiveKeysDeps): Promise<LiveKeys> {
    const keys = new LiveKeys(deps, await openIdentity(deps.dataDir, deps.pools, deps.vault));
    await keys.refresh();
    return keys;
  }

  get publicKey(): string {
    return this.#present.publicKey;
  }

  get next(): ControllerIdentity | null {
    return this.#next;
  }

  sign(text: string): string {
    return this.#present.sign(text);
  }

  tls(): { readonly key: string; readonly cert: string } {
    return this.#present.tls();
  }

  /**
   * Reads what the database says now.
   * @returns what is another than before; the file holds a changed key already
   * @throws Error when the key for secrets does not open what is there
   */
  async refresh(): Promise<{ readonly present: boolean; readonly next: boolean }> {
    const { rows } = await sql<Row>`
      select controller_key as key, sealed_identity as sealed,
        next_controller_key as "nextKey", sealed_next_identity as next
      from installation`.execute(this.#pools.gateway.db);
    const [row] = rows;
    const isPresent = row !== undefined && row.key !== null && row.key !== this.publicKey;
    const isNext = (row?.nextKey ?? null) !== (this.#next?.publicKey ?? null);
    if (!row || (!isPresent && !isNext)) return { present: false, next: false };
    const { pem, present, next } = openSealed(row, this.#vault);
    if ((isPresent && !present) || (row.next !== null && !next)) {
      throw new Error(
        "the controller's key in the database cannot be read with the key for secrets",
      );
    }
    if (isPresent && present) {
      await this.#keep(pem ?? "");
      this.#present = present;
    }
    this.#next = next;
    return { present: isPresent, next: isNext };
  }

  /** The next start reads the database if the file is behind: a full disk does not stop the change. */
  async #keep(pem: string): Promise<void> {
    await replaceSecret(this.#file, pem).catch((error: unknown) =>
      this.#logger.error({ err: error, file: this.#file }, "the changed key could not be written"),
    );
  }
}

interface LiveKeysDeps {
  readonly dataDir: string;
  readonly pools: Pools<Database>;
  readonly vault: Vault;
  readonly logger: Log;
}
