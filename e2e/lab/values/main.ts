/**
 * `npm run test:full -- values`: the nastiest values for every field of a site, through the API to an edge in a lab.
 * `--only line,staticroute` tries some resources alone. With `--results FILE` a run may be made in parts: each resource that
 * was tried whole is written there, and the next run goes on behind it; `--resources 1` ends after one, `--table` prints what
 * the file has without a lab. Prints a table, and ends with 1 when a value failed, or when not all resources could be tried
 * within `--minutes`.
 */
import { parseArgs } from "node:util";
import { login } from "@weft/contract/domains/access/session.ts";
import { cpe, cpeFindById } from "@weft/contract/domains/devices/cpe.ts";
import { cfgInit, popCfg } from "@weft/contract/domains/devices/cpe-config.ts";
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import type { Envelope } from "@weft/contract/kernel/endpoint.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { confirmed } from "@weft/lab/operator.ts";
import { joinSitePair, type SitePair } from "@weft/lab/site-pair.ts";
import { defaultLab, type LabSpec } from "@weft/lab/spec.ts";
import { startWorld, type World } from "@weft/lab/world.ts";
import { Campaign, type Verdict } from "./campaign.ts";
import { failuresOf, finishedOf, readResults, tableOf, writeResult } from "./results.ts";
import {
  policySubjects,
  rowSubjects,
  type Subject,
  settingSubjects,
  type Wire,
} from "./subjects.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    minutes: { type: "string", default: "110" },
    results: { type: "string" },
    resources: { type: "string", default: "1000" },
    table: { type: "boolean", default: false },
  },
});

/** The lab of two sites; cpe1 has the cards that the samples of WAN links and LAN sections name, too. */
function labOfSamples(): LabSpec {
  const { networks, nodes } = defaultLab();
  return {
    networks: [...networks, { name: "lanz", at: "sw", addresses: [] }],
    nodes: nodes.map((node) =>
      node.name === "cpe1"
        ? {
            ...node,
            ports: [
              ...node.ports,
              { name: "wan3", network: "bra", mac: "02:00:00:01:00:76" },
              { name: "wan4", network: "bra", mac: "02:00:00:01:00:77" },
              { name: "lan9", network: "lanz", mac: "02:00:00:03:00:77" },
            ],
          }
        : node,
    ),
  };
}

async function poster({ url, call, password }: World) {
  const { token } = (await call(login, { loginName: "admin", password, sms: null })).data;
  return async (path: string, wire: Wire): Promise<Envelope> => {
    const body = new FormData();
    for (const [name, value] of Object.entries(wire))
      if (value !== null && value !== undefined) body.append(name, String(value));
    const headers = { "accept-language": "en", authorization: token ?? "" };
    const response = await fetch(`${url}${path}`, { method: "POST", body, headers });
    return (await response.json()) as Envelope;
  };
}

type Post = Awaited<ReturnType<typeof poster>>;

async function added(post: Post, { path, name, draft }: Subject): Promise<number> {
  const envelope = await post(path, draft(0));
  const { id } = (envelope.data ?? {}) as { id?: number };
  if (id === undefined) throw new Error(`${name} cannot be made: ${envelope.msg}`);
  return id;
}

/** Rows that the drafts of others refer to; the LAN section is where their hosts and routers are. */
async function fixtures(post: Post, pair: SitePair) {
  const places = { groupid: pair.groupid, cpeId: pair.cpe1, popId: pair.pop };
  const subjects = (ids: Record<string, number>) =>
    new Map(rowSubjects(places, ids).map((subject) => [subject.name, subject]));
  const ids: Record<string, number> = {};
  const needed = [
    ["lansection", "lanId"],
    ["popStrategy", "strategyId"],
    ["xwanSpeed", "speedId"],
    ["vbrNode", "vbrNodeId"],
  ] as const;
  for (const [name, id] of needed) {
    const subject = subjects(ids).get(name);
    if (!subject) throw new Error(`no resource ${name}`);
    const { draft } = subject;
    const isLan = name === "lansection";
    const first = (number: number) =>
      isLan
        ? { ...draft(number), network: "10.77.1.1/24", network6: "fd00:77:1::1/64" }
        : draft(number);
    ids[id] = await added(post, { ...subject, draft: first });
  }
  const refs: Record<string, number> = {};
  // Only until the row itself is there: drafts of families that come later are made, and not sent.
  const notYet = Object.fromEntries(
    policyFamilies
      .filter(({ manage }) => manage.resource.verbs.includes("add"))
      .map(({ name }) => [name, 1]),
  );
  const referred = new Set(
    policyFamilies.flatMap(({ spec }) => Object.values(spec.references ?? {})),
  );
  for (const { name, manage } of policyFamilies) {
    if (!referred.has(name) || !manage.resource.verbs.includes("add")) continue;
    const subject = policySubjects(places, { ...notYet, ...refs }).find(
      (one) => one.name === manage.resource.name,
    );
    if (subject) refs[name] = await added(post, subject);
  }
  return { places, ids, refs };
}

/** A device's settings as they are, as its forms send them. */
async function settingsOf({ call }: World, pair: SitePair) {
  const wireOf = (resource: AnyResource, row: object): Wire => {
    const { shape } = resource.draft;
    const own = Object.fromEntries(Object.entries(row).filter(([name]) => name in shape));
    return { ...resource.draft.encode(own as never), id: pair.cpe1 };
  };
  const { data: row } = await call(cpeFindById, { id: pair.cpe1 });
  const { cpeConfig } = (await call(cfgInit, { cpeId: pair.cpe1 })).data;
  const { data: pop } = await call(popCfg, { popId: pair.pop });
  const { updateTime: _, rowVersion: __, ...items } = cpeConfig;
  const flags = (wire: object): Wire =>
    Object.fromEntries(
      Object.entries(wire).map(([name, value]) => [
        name,
        typeof value === "boolean" ? Number(value) : value,
      ]),
    );
  return {
    cpe: wireOf(cpe as AnyResource, row),
    cpeCfg: flags(items),
    popCfg: { popId: pair.pop, mtu: pop.mtu, szCrontab: pop.szCrontab },
    standby: { cpeId: pair.cpe1, hotStandbyGroup: "", hotStandbyRole: "", hotStandbyPriority: "" },
  };
}

/** Of a few cards: each wave of theirs is one or two rows, so that the others come first. */
const slowOnes: readonly string[] = ["line", "cpe", "cpeCfg", "popCfg", "standby"];

let isEnding = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    isEnding = true;
  });

/** Tries what is left; its results are written as each resource ends. */
async function tryResources(earlier: readonly Verdict[]): Promise<readonly Verdict[]> {
  const world = await startWorld(labOfSamples());
  try {
    const pair = await joinSitePair(world);
    for (const id of [pair.pop, pair.cpe1, pair.cpe2]) await confirmed(world.call, id);
    const post = await poster(world);
    const { places, ids, refs } = await fixtures(post, pair);
    const campaign = new Campaign({ world, pair, post });
    await campaign.begin();
    const wanted = options.only?.split(",");
    const finished = finishedOf(earlier);
    const subjects = [
      ...rowSubjects(places, ids),
      ...policySubjects(places, refs),
      ...settingSubjects(await settingsOf(world, pair)),
    ]
      .filter(({ name }) => wanted?.includes(name) ?? true)
      .sort((a, b) => slowOnes.indexOf(a.name) - slowOnes.indexOf(b.name));
    if (subjects.length === 0) throw new Error(`no resource is called ${options.only}`);
    const left = subjects.filter(({ name }) => wanted !== undefined || !finished.has(name));
    const end = performance.now() + Number(options.minutes) * 60_000;
    const isOver = () => isEnding || performance.now() > end;
    const verdicts: Verdict[] = [];
    for (let count = 0; left.length > 0 && count < Number(options.resources); count += 1) {
      const [subject] = left as [Subject];
      const own = await campaign.run(subject, isOver);
      verdicts.push(...own);
      if (isOver()) break;
      left.shift();
      if (options.results) await writeResult(options.results, subject.name, own);
      if (subject.others.length > 0)
        console.log(`not of a kind: ${subject.name} ${subject.others.join(" ")}`);
    }
    if (left.length > 0) {
      console.log(`not tried whole: ${left.map(({ name }) => name).join(" ")}`);
      process.exitCode = 1;
    }
    return verdicts;
  } finally {
    await world.close();
  }
}

const earlier = options.results ? await readResults(options.results) : [];
const now = options.table ? [] : await tryResources(earlier);
const tried = finishedOf(now);
const all = [...earlier.filter(({ subject }) => !tried.has(subject)), ...now];
console.log(tableOf(all));
for (const line of failuresOf(all)) console.log(line);
if (failuresOf(all).length > 0) process.exitCode = 1;
