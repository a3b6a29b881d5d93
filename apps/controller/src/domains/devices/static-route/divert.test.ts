import { afterAll, beforeAll, expect, test } from "vitest";
import { type People, people } from "../../../../test/people.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let all: People;
beforeAll(async () => {
  all = await people();
}, 60_000);
afterAll(() => all.api.close());

test("a static route into the LAN of another site of the space is refused, and the site is named", async () => {
  const { api, admin, agent } = all;
  const ids = { groupid: agent, cpeId: 0, popId: 0 };
  const site = async (name: string, network: string) => {
    const device = wireDraft("cpe", "valid", ids, { sn: `ROUTE-${name}`, alias: name });
    const cpeId = newIdOf(await api.post("/customer/cpe/insertNew", device, admin));
    const lan = wireDraft("lansection", "valid", { ...ids, cpeId }, { network, network6: "" });
    newIdOf(await api.post("/customer/lansection/add", { ...lan, enableForward: 1 }, admin));
    return cpeId;
  };
  const [own, far] = [await site("near", "10.61.0.1/24"), await site("far", "10.62.0.1/24")];
  const route = (destination: string) =>
    api.post(
      "/customer/staticroute/add",
      wireDraft(
        "staticroute",
        "valid",
        { ...ids, cpeId: own },
        {
          nCpeID: own,
          destination,
          nextHop: "10.61.0.254",
        },
      ),
      admin,
    );
  // No member of the same space yet: nothing of another site is there to divert.
  const before = newIdOf(await route("10.62.0.64/26"));
  await api.post("/customer/staticroute/remove", { ids: [before] }, admin);
  const space = wireDraft(
    "netSpace",
    "valid",
    { ...ids, cpeId: own, popId: own },
    {
      name: "divert",
      cpeIds: `${own},${far}`,
      popIds: "",
    },
  );
  newIdOf(await api.post("/customer/netSpace/add", space, admin));
  for (const destination of ["10.62.0.0/24", "10.62.0.128/25"]) {
    expect(await route(destination)).toMatchObject({
      code: 400,
      issues: [
        { path: "destination", rule: "overlap", params: { value: "10.62.0.1/24", other: "far" } },
      ],
    });
  }
  // What the other site announces is its own too, by a notice and by a static route.
  const notice = { cpeId: far, network: "10.63.0.0/16" };
  const announced = { nCpeID: far, destination: "10.64.0.0/16", nextHop: "10.62.0.254" };
  const of = { ...ids, cpeId: far };
  newIdOf(
    await api.post(
      "/customer/routeNotice/add",
      wireDraft("routeNotice", "valid", of, notice),
      admin,
    ),
  );
  newIdOf(
    await api.post(
      "/customer/staticroute/add",
      wireDraft("staticroute", "valid", of, announced),
      admin,
    ),
  );
  for (const destination of ["10.63.0.0/16", "10.64.0.0/16"]) {
    const params = { value: destination, other: "far" };
    expect(await route(destination)).toMatchObject({ issues: [{ path: "destination", params }] });
    // Nor does a notice attract it.
    const same = { cpeId: own, network: destination };
    expect(
      await api.post(
        "/customer/routeNotice/add",
        wireDraft("routeNotice", "valid", { ...ids, cpeId: own }, same),
        admin,
      ),
    ).toMatchObject({ issues: [{ path: "network", params }] });
  }
  // A shorter prefix loses against the site's own.
  newIdOf(await route("10.0.0.0/8"));
});
