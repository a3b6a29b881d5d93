import { createHash, createPublicKey, verify } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { z } from "zod";
import { appliedDelta } from "#contract/device/v1/delta.ts";
import { canonicalJson } from "./canonical.ts";
import { decodeClaim, encodeClaim } from "./claim.ts";
import { clientBuckets } from "./client.ts";
import {
  confirmAnswer,
  confirmRequest,
  confirmUnable,
  enrolAnswer,
  enrolRequest,
  fromController,
  fromEdge,
} from "./messages.ts";
import * as proof from "./proof.ts";
import { neighborBuckets } from "./routing.ts";
import { fromSections, toSections } from "./state.ts";
import { linkBuckets } from "./tunnel.ts";

const folder = path.join(import.meta.dirname, "samples");
const files = readdirSync(folder).sort();
const calls: Record<string, z.ZodType> = {
  "confirm-answer.json": confirmAnswer,
  "confirm-request.json": confirmRequest,
  "confirm-unable.json": confirmUnable,
  "enrol-answer.json": enrolAnswer,
  "enrol-request.json": enrolRequest,
};

const schemaOf = (file: string): z.ZodType => {
  if (file.startsWith("edge-")) return fromEdge;
  if (file.startsWith("controller-")) return fromController;
  const schema = calls[file];
  if (!schema) throw new Error(`a sample of nothing: ${file}`);
  return schema;
};

const read = (file: string): unknown => JSON.parse(readFileSync(path.join(folder, file), "utf8"));
const edge = (type: string) => fromEdge.parse(read(`edge-${type}.json`));
const controller = (type: string) => fromController.parse(read(`controller-${type}.json`));
const sha256 = (value: unknown): string =>
  createHash("sha256").update(canonicalJson(value)).digest("hex");

const isSigned = (key: string, text: string, signature: string): boolean => {
  const jwk = { kty: "OKP", crv: "Ed25519", x: key };
  const publicKey = createPublicKey({ key: jwk, format: "jwk" });
  return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, "base64url"));
};

test.each(files)("%s parses unchanged", (file) => {
  const wire = read(file);
  expect(schemaOf(file).parse(wire)).toEqual(wire);
});

test.each(files)("%s is refused with one field more, and without any of its own", (file) => {
  const wire = read(file) as Record<string, unknown>;
  const schema = schemaOf(file);
  expect(schema.safeParse({ ...wire, more: 1 }).success).toBe(false);
  const optional = [
    "unreachable",
    "stopped",
    "retryAfterMs",
    "findings",
    "hits",
    "bases",
    "deltas",
    "revision",
  ];
  for (const field of Object.keys(wire).filter((one) => !optional.includes(one))) {
    const { [field]: _, ...rest } = wire;
    expect(schema.safeParse(rest).success, field).toBe(false);
  }
});

test("a revision without its number is none", () => {
  const { revision: _, ...rest } = read("controller-revision.json") as Record<string, unknown>;
  expect(fromController.safeParse(rest).success).toBe(false);
});

test("every message and every call has its sample", () => {
  const types = (schema: typeof fromEdge | typeof fromController) =>
    schema.options.map((option) => option.shape.type.value);
  const wanted = [
    ...types(fromEdge).map((type) => `edge-${type}.json`),
    ...types(fromController).map((type) => `controller-${type}.json`),
    ...Object.keys(calls),
  ];
  expect(wanted.filter((file) => !files.includes(file))).toEqual([]);
});

test("the signatures are those of one conversation", () => {
  const asked = enrolRequest.parse(read("enrol-request.json"));
  const answered = enrolAnswer.parse(read("enrol-answer.json"));
  const hello = edge("hello");
  const challenge = controller("challenge");
  const welcome = controller("welcome");
  const confirm = confirmRequest.parse(read("confirm-request.json"));
  const answer = confirmAnswer.parse(read("confirm-answer.json"));
  const unable = confirmUnable.parse(read("confirm-unable.json"));
  const announced = controller("nextKey");
  if (hello.type !== "hello" || challenge.type !== "challenge" || welcome.type !== "welcome")
    throw new Error("a sample has another type than its name");
  if (announced.type !== "nextKey" || announced.next === null)
    throw new Error("a sample has another type than its name");
  const { publicKey: device, token, serialNumber } = asked;
  const { controllerKey: own, node } = answered;
  const signed: [key: string, text: string, signature: string][] = [
    [device, proof.enrolProof(token, serialNumber, asked.nonce), asked.signature],
    [own, proof.enrolledProof(asked.nonce, answered.state, node), answered.signature],
    [device, proof.helloProof(challenge.nonce, hello.nonce, hello.node), hello.signature],
    [
      own,
      proof.welcomeProof(challenge.nonce, hello.nonce, hello.node, welcome.epoch),
      welcome.signature,
    ],
    [
      device,
      proof.confirmProof(confirm.node, confirm, confirm.digest, confirm.nonce),
      confirm.signature,
    ],
    [own, proof.confirmedProof(confirm.node, answer, answer.nonce), answer.signature],
    [own, proof.unableProof(confirm.node, unable, unable.nonce), unable.signature],
    [
      announced.next.key,
      proof.heldKeyProof(challenge.nonce, hello.nonce, hello.node, announced.next.key),
      announced.next.signature,
    ],
  ];
  for (const [key, text, signature] of signed) {
    expect(isSigned(key, text, signature), text).toBe(true);
    expect(isSigned(key, `${text} `, signature), text).toBe(false);
  }
  expect(new Set(signed.map(([, text]) => text.split("\n")[1])).size).toBe(signed.length);
});

const sample = () => {
  const head = controller("head");
  const sections = controller("sections");
  if (head.type !== "head" || sections.type !== "sections") throw new Error("wrong type");
  const named = Object.entries(head.head.sections).map(
    ([name, hash]) => [name, sections.contents[hash]] as const,
  );
  return { head: head.head, contents: sections.contents, sections: new Map(named) };
};

test("a delta gives the text that the hash is taken over", () => {
  const { contents } = sample();
  const message = controller("sections-deltas");
  if (message.type !== "sections") throw new Error("wrong type");
  for (const [hash, delta] of Object.entries(message.deltas ?? {})) {
    const text = appliedDelta(delta, canonicalJson(contents[delta.base]));
    expect(
      createHash("sha256")
        .update(text ?? "")
        .digest("hex"),
    ).toBe(hash);
  }
  expect(Object.keys(message.deltas ?? {})).toHaveLength(1);
});

test("sections are known by the hash of their canonical text, the state by its head's", () => {
  const { head, contents } = sample();
  for (const [hash, content] of Object.entries(contents)) expect(sha256(content)).toBe(hash);
  expect(Object.keys(contents).sort()).toEqual(Object.values(head.sections).sort());
  expect(confirmRequest.parse(read("confirm-request.json")).digest).toBe(sha256(head));
});

/** The same value with every object's keys in the opposite order. */
const transition = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(transition);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, one]) => [key, transition(one)]),
  );
};

test.each(files)("%s has one canonical text, whatever the order of its keys", (file) => {
  const wire = read(file);
  expect(canonicalJson(transition(wire))).toBe(canonicalJson(wire));
  expect(JSON.parse(canonicalJson(wire))).toEqual(wire);
});

test("a state made of sections gives the same sections again", () => {
  const { sections } = sample();
  const state = fromSections(sections);
  expect(state.tunnels.map(({ links }) => links.map(({ id }) => id))).toEqual([[101, 102]]);
  // The sample is as edges without any capability get it.
  const again = toSections(state, new Set());
  expect(Object.fromEntries(again)).toEqual(Object.fromEntries(sections));
  expect(canonicalJson(fromSections(again))).toBe(canonicalJson(state));
  expect(canonicalJson(fromSections(toSections(state)))).toBe(canonicalJson(state));
});

test("links of one space are spread over buckets by their id", () => {
  const { sections } = sample();
  const names = [...sections.keys()].filter((name) => name.startsWith("tunnel."));
  expect(names.sort()).toEqual([`tunnel.3.${101 % linkBuckets}`, `tunnel.3.${102 % linkBuckets}`]);
});

test("accounts of one space are spread over buckets by their id, and both forms give one state", () => {
  const { sections } = sample();
  const peers = [1, 2, clientBuckets + 1].map((id) => ({
    id,
    publicKey: "A".repeat(43).concat("="),
    address: `10.88.0.${id}`,
    down: null,
    up: null,
    until: null,
  }));
  const client = {
    spaceId: 3,
    netns: null,
    interfaceName: "wm3",
    listenPort: 50_000,
    slot: 1,
    mtu: 1_400,
    address: "10.88.0.254/24",
    peers,
  };
  const state = { ...fromSections(sections), clients: [client] };
  const divided = toSections(state, new Set(["client"]));
  const names = [...divided.keys()].filter((name) => name.startsWith("client."));
  expect(names).toEqual([1, 2].map((bucket) => `client.${client.spaceId}.${bucket}`));
  expect(fromSections(divided)).toEqual(fromSections(toSections(state)));
  expect(fromSections(divided)).toEqual(state);
});

test("neighbours of a POP are spread over buckets by their link, those of a site are not, and both forms give one state", () => {
  const { sections } = sample();
  const state = fromSections(sections);
  const [routing] = state.routings;
  const [neighbor] = routing?.neighbors ?? [];
  if (!routing || !neighbor) throw new Error("the sample has no neighbour");
  const neighbors = [1, 2, neighborBuckets + 1].map((linkId) => ({ ...neighbor, linkId }));
  const routed = (reflector: boolean, accept: string[]) => ({
    ...state,
    routings: [
      { ...routing, reflector, neighbors: neighbors.map((neighbor) => ({ ...neighbor, accept })) },
    ],
  });
  const pop = routed(true, ["10.1.0.0/24"]);
  const name = `routing.${routing.spaceId}`;
  const named = (divided: ReadonlyMap<string, unknown>) =>
    [...divided.keys()].filter((one) => one.startsWith("routing."));
  const divided = toSections(pop, new Set(["routing"]));
  expect(named(divided)).toEqual([name, `${name}.1`, `${name}.2`]);
  expect(fromSections(divided)).toEqual(fromSections(toSections(pop)));
  expect(fromSections(divided)).toEqual(pop);
  expect(named(toSections(routed(false, []), new Set(["routing"])))).toEqual([name]);
  // A bucket without its routing is no state.
  const torn = new Map(divided);
  torn.delete(name);
  expect(() => fromSections(torn)).toThrow(`section ${name} is missing`);
});

const ruleOf = (at: number) => ({
  action: "drop" as const,
  protocol: "any" as const,
  source: null,
  sourcePort: null,
  target: `10.${at >> 8}.${at & 255}.0/24`,
  targetPort: null,
  mac: null,
});

test("a long ACL keeps its order in chunks, and a rule more at its front changes one of them", () => {
  const { sections } = sample();
  const state = (rules: readonly number[]) => {
    const made = fromSections(sections);
    return { ...made, firewall: { ...made.firewall, acl: rules.map(ruleOf) } };
  };
  const all = [...Array(10_000).keys()];
  const divided = (rules: readonly number[]) => toSections(state(rules), new Set(["firewall"]));
  const before = divided(all.slice(1));
  expect(fromSections(before)).toEqual(state(all.slice(1)));
  expect(fromSections(toSections(state(all)))).toEqual(state(all));
  const chunks = (of: ReadonlyMap<string, unknown>) =>
    [...of].flatMap(([name, content]) =>
      name.startsWith("firewall.") ? [canonicalJson(content)] : [],
    );
  expect(chunks(before).length).toBeGreaterThan(40);
  const known = new Set(chunks(before));
  for (const at of [0, 5_000]) {
    const edited = divided(at === 0 ? all : all.slice(1).filter((one) => one !== at));
    const fresh = chunks(edited).filter((text) => !known.has(text));
    expect(fresh.length).toBeLessThanOrEqual(2);
    expect(fresh.join("").length).toBeLessThan(chunks(before).join("").length / 8);
  }
  const torn = new Map(before);
  torn.delete("firewall.1");
  expect(() => fromSections(torn)).toThrow(/section firewall\.\d+ is missing/);
  // Rules that are all alike make no chunk without an end.
  const same = toSections(state(Array(5_000).fill(7)), new Set(["firewall"]));
  expect(Math.max(...chunks(same).map((text) => text.length))).toBeLessThan(200_000);
});

test("a document that lacks a section, has an unknown one or a broken one, gives no state", () => {
  const sections = toSections(fromSections(sample().sections));
  const without = new Map(sections);
  without.delete("firewall");
  expect(() => fromSections(without)).toThrow("section firewall is missing");
  expect(() => fromSections(new Map([...sections, ["qos.3", {}]]))).toThrow(
    "unknown section qos.3",
  );
  expect(() => fromSections(new Map([...sections, ["node", { nodeId: 42 }]]))).toThrow();
});

test("a claim is parsed as it was written, and nothing else is one", () => {
  const { token } = enrolRequest.parse(read("enrol-request.json"));
  const claim = {
    token,
    addresses: ["wss://100.64.0.2:8443", "wss://[fd00:64::2]:8443"],
    controllerKeyHash: "0".repeat(64),
  };
  expect(decodeClaim(` ${encodeClaim(claim)}\n`)).toEqual(claim);
  for (const text of ["", "weft1.", "weft1.e30", `${encodeClaim(claim)}.x`, "weft2.e30"])
    expect(decodeClaim(text)).toBeNull();
});
