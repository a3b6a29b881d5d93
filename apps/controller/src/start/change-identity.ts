/** The steps by which an operator changes the controller's key (docs/operations.md, The controller's key). */
import { nextKeyCapability } from "@weft/contract/device/v1/additions.ts";
import { type Kysely, sql, type Transaction } from "kysely";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { keyHash, makeNextIdentity, promoteSealed } from "#gateway/identity.ts";
import { changeChannel } from "#kernel/change-hint.ts";
import type { Vault } from "#kernel/vault.ts";
import { auditInstallation } from "./audit-installation.ts";

/** Why a device would not follow its controller to the key. */
export type Lack = "pending" | "offline" | "tooOld" | "notYet";

export interface Lacking {
  readonly node: number;
  readonly name: string;
  readonly sn: string;
  readonly version: string | null;
  readonly lastSeen: Date | null;
  readonly lack: Lack;
}

export interface KeyStatus {
  /** SHA-256 (hex) of each key; null: no gateway has started yet, or no change is prepared. */
  readonly present: string | null;
  readonly next: string | null;
  readonly preparedAt: Date | null;
  readonly activatedAt: Date | null;
  /** Devices that hold the next key; without one, those that hold the present one. */
  readonly holding: number;
  readonly lacking: readonly Lacking[];
}

type Db = Kysely<Database> | Transaction<Database>;

interface Row {
  readonly present: string | null;
  readonly next: string | null;
  readonly sealedNext: Buffer | null;
  readonly preparedAt: Date | null;
  readonly activatedAt: Date | null;
}

const readRow = async (db: Db): Promise<Row> => {
  const { rows } = await sql<Row>`
    select controller_key as present, next_controller_key as next, sealed_next_identity as "sealedNext",
      key_prepared_at as "preparedAt", key_activated_at as "activatedAt"
    from installation for update`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("This database was never used by a controller.");
  return row;
};

/**
 * Devices that were enrolled, in order, with what they lack of a key; null: they hold it. A device that was
 * enrolled after a change holds the present key by that, whether its version reports it or not.
 */
async function devicesFor(
  db: Db,
  row: Row,
): Promise<(Omit<Lacking, "lack"> & { lack: Lack | null })[]> {
  const { present, next, activatedAt } = row;
  const isBefore =
    next === null ? sql`coalesce(i.decided_at, now()) < ${activatedAt}::timestamptz` : sql`true`;
  const { rows } = await sql<Omit<Lacking, "lack"> & { lack: Lack | null }>`
    select n.id as node, n.name, i.sn, s.version, s.last_seen as "lastSeen",
      case
        when i.state = 'pending' then 'pending'
        when i.pinned_key = ${next ?? present} or ${isBefore} is not true then null
        when s.online is not true then 'offline'
        when not s.capabilities @> ${JSON.stringify([{ name: nextKeyCapability, can: true }])}::jsonb
          then 'tooOld'
        else 'notYet' end as lack
    from node_identity i join node n on n.id = i.node_id left join node_status s on s.node_id = n.id
    where i.state = 'approved' or (i.state = 'pending' and ${next}::text is not null)
    order by n.id`.execute(db);
  return rows;
}

const isLacking = <One extends { readonly lack: Lack | null }>(
  one: One,
): one is One & { readonly lack: Lack } => one.lack !== null;

async function statusOf(db: Db, row: Row): Promise<KeyStatus> {
  const { present, next, preparedAt, activatedAt } = row;
  const devices = await devicesFor(db, row);
  const lacking = devices.filter(isLacking);
  return {
    present: present && keyHash(present),
    next: next && keyHash(next),
    preparedAt,
    activatedAt,
    lacking,
    holding: devices.length - lacking.length,
  };
}

/** Gateways follow immediately, and by their own polling if the hint is lost. */
const notifyGateways = (trx: Transaction<Database>): Promise<unknown> =>
  sql`select pg_notify(${changeChannel}, '')`.execute(trx);

export const keyStatus = ({ owner }: Pools<Database>): Promise<KeyStatus> =>
  owner.db.transaction().execute(async (trx) => statusOf(trx, await readRow(trx)));

export const noGatewayYet = "No gateway has started on this database yet.";

/**
 * Makes the next key. Gateways announce it to all devices, which hold it beside the present one.
 * @throws Error for the operator: there is one already, or no present one yet
 */
export function prepareKey({ owner }: Pools<Database>, vault: Vault): Promise<KeyStatus> {
  return owner.db.transaction().execute(async (trx) => {
    const row = await readRow(trx);
    if (row.present === null) throw new Error(noGatewayYet);
    if (row.next !== null) {
      throw new Error(
        `A change to the key ${keyHash(row.next).slice(0, 16)} is prepared already: activate or cancel it.`,
      );
    }
    const { publicKey, sealed } = makeNextIdentity(vault);
    await sql`update installation set next_controller_key = ${publicKey},
      sealed_next_identity = ${sealed}, key_prepared_at = now()`.execute(trx);
    await auditInstallation(trx, "installation.prepareKey", {
      old: null,
      new: { present: keyHash(row.present), next: keyHash(publicKey) },
    });
    await notifyGateways(trx);
    return statusOf(trx, await readRow(trx));
  });
}

const noneIsPrepared = "No change of the controller's key is prepared.";

/** Gives up a prepared change: devices forget the next key. @throws Error for the operator */
export function cancelKey({ owner }: Pools<Database>): Promise<KeyStatus> {
  return owner.db.transaction().execute(async (trx) => {
    const { next } = await readRow(trx);
    if (next === null) throw new Error(noneIsPrepared);
    await sql`update installation set next_controller_key = null, sealed_next_identity = null,
      key_prepared_at = null`.execute(trx);
    await auditInstallation(trx, "installation.cancelKey", {
      old: { next: keyHash(next) },
      new: { next: null },
    });
    await notifyGateways(trx);
    return statusOf(trx, await readRow(trx));
  });
}

/** Devices that hold the present key only would be cut off. */
export class NotHeld extends Error {
  readonly lacking: readonly Lacking[];

  constructor(lacking: readonly Lacking[]) {
    super(`${lacking.length} devices do not hold the next key`);
    this.lacking = lacking;
  }
}

export interface Activated {
  readonly status: KeyStatus;
  /** Nodes whose devices need a new activation code. */
  readonly abandoned: readonly Lacking[];
  /** Activation codes that were not used yet: they name the previous key. */
  readonly revokedClaims: number;
}

/**
 * The next key becomes the present one, for all gateways.
 * @param forced nodes whose devices may be cut off; all that do not hold the key must be among them
 * @throws NotHeld, and Error for the operator
 */
export function activateKey(
  { owner }: Pools<Database>,
  vault: Vault,
  forced: ReadonlySet<number>,
): Promise<Activated> {
  return owner.db.transaction().execute(async (trx) => {
    const row = await readRow(trx);
    const { present, next, sealedNext } = row;
    if (present === null || next === null || sealedNext === null) throw new Error(noneIsPrepared);
    const { lacking } = await statusOf(trx, row);
    const unnamed = lacking.filter(({ node }) => !forced.has(node));
    if (unnamed.length > 0) throw new NotHeld(unnamed);
    const sealed = promoteSealed(sealedNext, vault);
    if (!sealed) throw new Error("The next key cannot be read with this key for secrets.");
    await sql`update installation set controller_key = ${next}, sealed_identity = ${sealed},
      next_controller_key = null, sealed_next_identity = null, key_prepared_at = null,
      key_activated_at = now(),
      retired_controller_keys = retired_controller_keys || ${present}::text`.execute(trx);
    const revokedClaims = await revokeClaims(trx);
    await auditInstallation(trx, "installation.activateKey", {
      old: { present: keyHash(present) },
      new: { present: keyHash(next), abandoned: lacking.map(({ node }) => node), revokedClaims },
    });
    await notifyGateways(trx);
    return { status: await statusOf(trx, await readRow(trx)), abandoned: lacking, revokedClaims };
  });
}

/** A device would compare the key with that of the code, and call no controller that shows another. */
async function revokeClaims(trx: Transaction<Database>): Promise<number> {
  const { rows } = await sql`
    with revoked as (
      update claim set revoked_at = now()
      where used_key is null and revoked_at is null and expires_at > now()
      returning id, enterprise_id, node_id
    )
    insert into audit (enterprise_id, user_id, login_name, action, resource, row_id, old_value,
      new_value, address, request_id)
    select enterprise_id, 0, 'system', 'claim.revoke', 'claim', id, null,
      jsonb_build_object('nodeId', node_id, 'reason', 'controllerKey'), '', '' from revoked
    returning id`.execute(trx);
  return rows.length;
}
