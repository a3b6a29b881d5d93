/**
 * Files that are imported at the same moment, and while what they belong to goes: rows are written once and no limit is exceeded,
 * of each file all rows are written or none, and each refusal has its reason.
 */
import { dataScope } from "@weft/contract/domains/access/enums.ts";
import { errorNumbers } from "@weft/contract/errors.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createBatchRunner } from "#jobs/run-batches.ts";
import { type Answer, type TestApi, testApi } from "./api.ts";
import { type Imported, sendFile } from "./sheet-files.ts";
import { distinctDraft, newIdOf, wireDraft } from "./tenants.ts";

let api: TestApi;
let admin = "";
/** An agent with customers, and sessions of people who see all of them. */
let agent = 0;
let customers: readonly { readonly id: number; readonly name: string }[] = [];
let people: readonly string[] = [];
let made = 0;

const owner = <Row>(text: ReturnType<typeof sql<Row>>) =>
  text.execute(api.database.pools.owner.db).then(({ rows }) => rows);
const enterprise = async (fields: object) => {
  const draft = wireDraft("enterprise", "valid", { groupid: 1, cpeId: 0, popId: 0 }, fields);
  return newIdOf(await api.post("/customer/enterprise/add", draft, admin));
};

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
}, 120_000);
beforeEach(async () => {
  made += 1;
  agent = await enterprise({ name: `agent-${made}`, parentId: 1 });
  customers = await Promise.all(
    ["a", "b", "c", "d"].map(async (letter) => {
      const name = `customer-${made}${letter}`;
      return { id: await enterprise({ name, parentId: agent }), name };
    }),
  );
  // Several, as one person has one import at a time.
  const user = { enterpriseId: agent, dataScope: dataScope.ownAndSubordinate, roleType: 1 };
  people = await Promise.all([1, 2, 3, 4].map(() => api.userToken(user)));
});
afterAll(() => api.close());

const [first, second] = [0, 1] as const;
const customer = (which: number) => {
  const found = customers[which];
  if (!found) throw new Error(`there is no customer ${which}`);
  return found;
};
/** Accounts with these login names, each of the customer that its turn has. */
const accountsOf = (names: readonly string[], order: readonly number[]): string => {
  const rows = names.map(
    (name, at) => `${customer(order[at % order.length] ?? first).name},${name}@,${name},1`,
  );
  return `groupid,loginName,alias,terminalType\r\n${rows.join("\r\n")}\r\n`;
};
/** ACL rules with these names. */
const rulesOf = (names: readonly string[]): string => {
  const rows = names.map((name) => `${name},1,10,0,0,any`);
  return `name,nEnable,nSection,sort,action,protocol\r\n${rows.join("\r\n")}\r\n`;
};
const namesOf = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${made}x${at}`);
/** @param groupid whose list it is sent to */
const sendAccounts = (token: string, file: string, fields: object = {}, groupid = agent) =>
  sendFile(api, { resource: "account", token, inside: { groupid } }, file, fields);
const accounts = async (like: string): Promise<number> => {
  const [row] = await owner(sql<{ n: number }>`select count(*)::int as n from weft.mobile_account
    where login_name like ${`${like}%`}`);
  return row?.n ?? 0;
};
const isDone = ({ code, data }: Answer): boolean => code === 0 && (data as Imported).done;
/** Refusals say why; none is a bug, and no session ends by it. */
const expectReasons = (answers: readonly Answer[]): void => {
  for (const { code, msg, bug } of answers) {
    expect(bug).toBeUndefined();
    expect([errorNumbers.internal, errorNumbers.tokenInvalid]).not.toContain(code);
    expect(msg).not.toBe("");
  }
};
const everybody = (): string[] => [...people, ...people];

test("one file that is sent eight times at once is written once", async () => {
  const names = namesOf("once", 40);
  const file = accountsOf(names, [first, second]);
  const answers = await Promise.all(everybody().map((token) => sendAccounts(token, file)));
  expectReasons(answers);
  expect(answers.some(isDone)).toBe(true);
  expect(await accounts(`once${made}x`)).toBe(40);
});

test("so is one of rows that only their list distinguishes", async () => {
  const draft = distinctDraft(
    "cpe",
    { groupid: customer(first).id, cpeId: 0, popId: 0 },
    { name: `acl-${made}`, latin: `acl-${made}`, number: made },
  );
  const cpeId = newIdOf(await api.post("/customer/cpe/insertNew", draft, admin));
  const file = rulesOf(namesOf("rule", 30));
  const answers = await Promise.all(
    everybody().map((token) =>
      sendFile(api, { resource: "xaclrules", token, inside: { nCpeID: cpeId } }, file),
    ),
  );
  expectReasons(answers);
  expect(answers.some(isDone)).toBe(true);
  const [row] = await owner(sql<{ n: number }>`select count(*)::int as n from weft.acl_rule
    where node_id = ${cpeId}`);
  expect(row?.n).toBe(30);
});

test("files that meet in a limit do not exceed it together, and each that is refused names it", async () => {
  await owner(sql`update weft.enterprise set account_limit = 10 where id = ${agent}`);
  // Each person has a list of its own: files of one list would take turns.
  const files = everybody().map((token, at) => {
    const which = at % people.length;
    const file = accountsOf(namesOf(`full${at}x`, 4), [which]);
    return () => sendAccounts(token, file, {}, customer(which).id);
  });
  const answers = await Promise.all(files.map((send) => send()));
  expectReasons(answers);
  expect(answers.filter(isDone).length).toBeLessThanOrEqual(2);
  for (const [at, answer] of answers.entries()) {
    expect(await accounts(`full${at}x`)).toBe(isDone(answer) ? 4 : 0);
  }
  // Alone: what is over the limit is refused with the limit.
  for (const send of files) await send();
  expect(await accounts("full")).toBe(8);
  const last = await sendAccounts(people[0] ?? "", accountsOf(namesOf("over", 4), [first]));
  expect(last.issues).toMatchObject([
    { path: "groupid", rule: "accountLimit", params: { limit: 10 } },
  ]);
});

test("of files whose rows take two limits in opposite orders all rows are written, or none", async () => {
  await owner(sql`update weft.enterprise set account_limit = 1000
    where id = any (${customers.map(({ id }) => id)}::bigint[])`);
  // Each has a list of its own, so that they do not take turns.
  const sent = customers.map(({ id }, at) => {
    const names = namesOf(`order${at}x`, 60);
    const [one, other] = at % 2 === 0 ? [first, second] : [second, first];
    const halves = [...names.keys()].map((place) => (place < 30 ? one : other));
    return sendAccounts(people[at] ?? "", accountsOf(names, halves), {}, id);
  });
  const answers = await Promise.all(sent);
  expectReasons(answers);
  for (const [at, answer] of answers.entries()) {
    expect(await accounts(`order${at}x`)).toBe(isDone(answer) ? 60 : 0);
  }
  expect(answers.some(isDone)).toBe(true);
});

test.each(["enterprise", "CPE"])(
  "while the %s of its rows is removed all are written or none",
  async (what) => {
    const { id: groupid } = customer(first);
    const draft = distinctDraft(
      "cpe",
      { groupid, cpeId: 0, popId: 0 },
      { name: `gone-${made}`, latin: `gone-${made}`, number: made },
    );
    const isCpe = what === "CPE";
    const cpeId = isCpe ? newIdOf(await api.post("/customer/cpe/insertNew", draft, admin)) : 0;
    const file = isCpe ? rulesOf(namesOf("gone", 200)) : accountsOf(namesOf("gone", 200), [first]);
    const of = isCpe
      ? { resource: "xaclrules", inside: { nCpeID: cpeId } }
      : { resource: "account", inside: { groupid } };
    const [sent, removed] = await Promise.all([
      sendFile(api, { ...of, token: people[0] ?? "" }, file),
      isCpe
        ? api.post("/customer/cpe/remove", { ids: cpeId }, admin)
        : api.post("/customer/enterprise/remove", { ids: groupid, oldPsw: "s3cret-Pass" }, admin),
    ]);
    expectReasons([sent, removed]);
    const [row] = isCpe
      ? await owner(sql<{ n: number }>`select count(*)::int as n from weft.acl_rule
        where node_id = ${cpeId}`)
      : await owner(sql<{ n: number }>`select count(*)::int as n from weft.mobile_account
        where enterprise_id = ${groupid}`);
    expect([0, 200]).toContain(row?.n);
    if (row?.n === 200) expect(isDone(sent)).toBe(true);
  },
);

/** The database fails writes of a table with this SQLSTATE, the first times only. */
async function failing(
  table: string,
  state: string,
  times: number,
  work: () => Promise<void>,
): Promise<void> {
  const { pg } = api.database.pools.owner;
  // A sequence counts on when a transaction is rolled back.
  await pg.query(`create sequence weft.failures;
    create function weft.fail_at_first() returns trigger language plpgsql security definer as
    $$ begin
      if nextval('weft.failures') <= ${times} then raise exception 'as by others' using errcode = '${state}'; end if;
      return new;
    end $$;
    create trigger fails before insert or update on weft.${table}
      for each row execute function weft.fail_at_first()`);
  try {
    await work();
  } finally {
    await pg.query(`drop trigger fails on weft.${table};
      drop function weft.fail_at_first(); drop sequence weft.failures`);
  }
}
const deadlock = "40P01";
const lockTimeout = "55P03";

test.each([0, 1])(
  "a row that loses to others at its first try is not left out: skipBad %i",
  async (skipBad) => {
    const names = namesOf(`again${skipBad}x`, 5);
    await failing("mobile_account", deadlock, 1, async () => {
      const answer = await sendAccounts(people[0] ?? "", accountsOf(names, [first]), { skipBad });
      expect(isDone(answer), answer.msg).toBe(true);
    });
    expect(await accounts(`again${skipBad}x`)).toBe(5);
  },
);

test.each([0, 1])(
  "a file is refused, and no row of it is left out, when the database takes too long: skipBad %i",
  async (skipBad) => {
    const names = namesOf(`long${skipBad}x`, 5);
    await failing("mobile_account", lockTimeout, 1, async () => {
      const answer = await sendAccounts(people[0] ?? "", accountsOf(names, [first]), { skipBad });
      expect(answer.code).toBe(errorNumbers.unavailable);
    });
    expect(await accounts(`long${skipBad}x`)).toBe(0);
  },
);

test("a row of a bulk job that loses to others is done all the same, in its call and by the worker", async () => {
  const { id: groupid } = customer(first);
  await owner(sql`insert into weft.node (enterprise_id, kind, name, sn, created_by)
    select ${groupid}, 'cpe', ${`bulk-${made}-`} || i, ${`bulk-${made}-`} || i, 1
    from generate_series(1, 130) i`);
  const nodes = await owner(sql<{ id: number }>`select id from weft.node
    where enterprise_id = ${groupid} order by id`);
  const switched = async (): Promise<number> => {
    const rows = await owner(sql`select from weft.node
      where enterprise_id = ${groupid} and not enabled`);
    return rows.length;
  };
  const ids = nodes.slice(0, 3).map(({ id }) => id);
  await failing("node", deadlock, 1, async () => {
    const few = { ids: ids.join(), setEnable: 0 };
    expect((await api.post("/customer/cpe/batchEnable", few, people[0])).code).toBe(0);
  });
  expect(await switched()).toBe(3);
  const all = { all: 1, alias: `bulk-${made}-`, setEnable: 0 };
  expect((await api.post("/customer/cpe/batchEnable", all, people[0])).code).toBe(0);
  await failing("node", deadlock, 1, async () => {
    await createBatchRunner(api.database.pools, pino({ level: "silent" })).run();
  });
  expect(await switched()).toBe(100);
});
