/**
 * Bytes that devices are sent of new states, when each of them runs the state before: as an edge of this version asks
 * for them, which names what it has.
 */
import { deltaOf } from "@weft/contract/device/v1/delta.ts";
import { namesParts, partsOf, replacedParts } from "@weft/contract/device/v1/space.ts";
import type pg from "pg";

/** A section of a new state that the state before lacks. */
interface Changed {
  readonly node: string;
  readonly name: string;
  readonly hash: string;
  /** Of that name in the state before. */
  readonly base: string | null;
}

/** A list that a device takes for the state that it runs, with the bytes of the message that names it. */
interface Revised extends Pick<Changed, "name" | "hash" | "base"> {
  readonly bytes: number;
}

/** Texts of contents by owner and hash; those of a space are of its name. */
type Texts = ReadonlyMap<string, string>;

const keyOf = (owner: string, hash: string): string => `${owner} ${hash}`;
const ownerOf = ({ name, node }: Changed): string => (namesParts(name) ? name : node);

/** @param since states that were made from this time on */
export async function sentBytes(sql: pg.Pool, since: string): Promise<number> {
  const { rows: heads } = await sql.query<{ bytes: string }>(
    `select coalesce(sum(octet_length(json_build_object(
       'epoch', epoch, 'serial', serial, 'sections', sections)::text)), 0) as bytes
     from node_state where created_at >= $1::timestamptz`,
    [since],
  );
  const { rows: changed } = await sql.query<Changed>(
    `select m.node_id::text as node, one.key as name, one.value as hash, p.sections ->> one.key as base
     from node_state m cross join lateral jsonb_each_text(m.sections) one
     left join node_state p on p.node_id = m.node_id and p.epoch = m.epoch and p.serial = m.serial - 1
     where m.created_at >= $1::timestamptz and not exists (
       select from jsonb_each_text(p.sections) before where before.value = one.value)`,
    [since],
  );
  const { rows: revised } = await sql.query<Revised>(
    `select 'space.' || r.space_id as name, r.hash, (select p.hash from space_revision p
         where p.space_id = r.space_id and p.revision < r.revision order by p.revision desc limit 1) as base,
       octet_length(json_build_object('type', 'revision', 'epoch', n.epoch, 'serial', n.serial,
         'revision', r.revision, 'sections', json_build_object('space.' || r.space_id, r.hash))::text) as bytes
     from space_revision r cross join lateral weft.revision_takers(array[r.space_id]) t (node_id)
     cross join lateral (
       select s.* from node_state s where s.node_id = t.node_id order by s.epoch desc, s.serial desc limit 1) n
     -- Who has a state with the list needs no revision.
     where r.created_at >= $1::timestamptz and n.sections ->> ('space.' || r.space_id) <> r.hash`,
    [since],
  );
  changed.push(...revised.map((one) => ({ ...one, node: "" })));
  const texts = await readTexts(sql, changed);
  /** Members of a space have the same lists: each change of one is counted once, and taken so many times. */
  const known = new Map<string, number>();
  const bytes = changed.map((one) => {
    const key = [ownerOf(one), one.hash, one.base].join(" ");
    const count = known.get(key) ?? bytesOf(one, texts);
    known.set(key, count);
    return count;
  });
  const messages = revised.reduce((sum, one) => sum + one.bytes, 0);
  return Number(heads[0]?.bytes) + messages + bytes.reduce((sum, count) => sum + count, 0);
}

async function readTexts(sql: pg.Pool, changed: readonly Changed[]): Promise<Texts> {
  const own = changed.filter(({ name }) => !namesParts(name));
  const named = own.flatMap(({ node, hash, base }) =>
    [hash, base].flatMap((one) => (one === null ? [] : [{ node, hash: one }])),
  );
  const { rows } = await sql.query<{ owner: string; hash: string; text: string }>(
    `select distinct on (s.node_id, s.hash) s.node_id::text as owner, s.hash, s.content::text as text
     from unnest($1::bigint[], $2::text[]) as w (node_id, hash)
     join state_section s on s.node_id = w.node_id and s.hash = w.hash
     union all
     select 'space.' || space_id, hash, content::text from space_section
     where 'space.' || space_id = any ($3::text[])`,
    [
      named.map(({ node }) => node),
      named.map(({ hash }) => hash),
      [...new Set(changed.flatMap(({ name }) => (namesParts(name) ? [name] : [])))],
    ],
  );
  return new Map(rows.map(({ owner, hash, text }) => [keyOf(owner, hash), text]));
}

function bytesOf(changed: Changed, texts: Texts): number {
  const { name, hash, base } = changed;
  const owner = ownerOf(changed);
  const given = (wanted: string, from: string | null): number => {
    const text = texts.get(keyOf(owner, wanted));
    if (text === undefined) throw new Error(`section ${name} of ${owner} is not stored`);
    const baseText = from === null ? undefined : texts.get(keyOf(owner, from));
    const full = Buffer.byteLength(text);
    if (from === null || baseText === undefined) return full;
    const delta = JSON.stringify(deltaOf({ hash: from, text: baseText }, text));
    return Math.min(full, Buffer.byteLength(delta));
  };
  const partsIn = (list: string | null): readonly string[] => {
    const text = list === null ? undefined : texts.get(keyOf(owner, list));
    return text === undefined ? [] : partsOf(name, JSON.parse(text));
  };
  const [was, is] = [partsIn(base), partsIn(hash)];
  const before = new Map(replacedParts(was, is));
  return is
    .filter((part) => !was.includes(part))
    .reduce((sum, part) => sum + given(part, before.get(part) ?? null), given(hash, base));
}
