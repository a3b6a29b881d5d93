/** Who leaves by the space, and who lets others out: as states say it. */
import { expect, test } from "vitest";
import { compile, type NodeView, type ViewLink, type ViewNode } from "./compile.ts";

const line = {
  slot: 1,
  interfaceName: "wan1",
  addressing: "static" as const,
  mtu: 1_420,
  ip: "198.51.100.1/24",
  gateway: "198.51.100.254",
  address: "198.51.100.1",
};
const lan = {
  interfaceName: "lan1",
  network: "10.1.5.1/24",
  network6: null,
  vlan: null,
  enableForward: true,
  enableDirect: true,
};
const cpe: ViewNode = {
  id: 5,
  kind: "cpe",
  name: "n5",
  lines: [line],
  sections: [lan],
  routes: [],
};
const pop: ViewNode = { id: 9, kind: "pop", name: "n9", lines: [line], sections: [], routes: [] };
const key = Buffer.alloc(32).toString("base64");
const link: ViewLink = {
  id: 11,
  spaceId: 3,
  index: 1,
  preference: null,
  a: { node: 5, slot: 1, port: 51_011, key },
  b: { node: 9, slot: 1, port: 52_011, key },
};
const viewOf = (node: ViewNode, peer: ViewNode): NodeView => ({
  node,
  links: [link],
  peers: new Map([[peer.id, peer]]),
});

test("hosts that leave by the space leave by no line of their site", () => {
  const compiled = (more: object) =>
    compile(viewOf({ ...cpe, sections: [{ ...lan, ...more }] }, pop)).underlay.lans[0];
  expect(compiled({ enableCentral: true })).toMatchObject({ direct: false, central: true });
  // Not in the space either: they go nowhere.
  const apart = compiled({ enableCentral: true, enableForward: false });
  expect(apart).toMatchObject({ direct: false, forward: false });
  expect(apart).not.toHaveProperty("central");
  expect(compiled({ enableCentral: false })).toMatchObject({ direct: true });
  expect(compiled({ enableCentral: false })).not.toHaveProperty("central");
});

test("default routes of a site are taken by the POP, and make no address one of its hosts", () => {
  const wholes = ["0.0.0.0/0", "::/0"];
  const exit = { ...cpe, notices: wholes };
  const made = compile(viewOf(exit, pop));
  expect(made.routings[0]?.announce).toEqual(expect.arrayContaining(wholes));
  expect(made.underlay).toEqual(compile(viewOf(cpe, pop)).underlay);
  expect(made.firewall).toEqual(compile(viewOf(cpe, pop)).firewall);
  const accepted = compile(viewOf(pop, exit)).routings[0]?.neighbors[0]?.accept;
  expect(accepted).toEqual(expect.arrayContaining(wholes));
});
