/** A session from the menu load to its end, against a server that answers as the wire does. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sendAhead, setUpCalls, tokenStore } from "./call.ts";
import { loadSession, takeSession } from "./load-session.ts";
import { type Session, systemName } from "./session.tsx";
import { currentSession, endSession, onSessionEnd } from "./session-state.ts";

const data = {
  userId: 7,
  loginName: "ops",
  roles: ["ops"],
  roleType: 2,
  groupid: 3,
  authorities: ["cpeList"],
  perms: ["cpeList"],
  enterpriseName: "Acme",
  passwordPolicy: "spec",
  mustAddFactor: 0,
  sysName: "SD-WAN",
  logo: "/brand/1",
  colums: { cpe: ["alias"] },
  cpeColomn: "alias",
  clientColomn: "",
  syslogoName: "Other",
  menus: [
    { menuId: 1, parentId: 0, menuName: "用户", path: "/system/usermanage", url: "UserManage" },
  ],
};
/** As section 7.1 states it, and nothing else. */
const stated = {
  user: { userId: 8, loginName: "stated", roleType: 1 },
  perms: ["cpeAdd"],
  colums: { cpe: ["alias"] },
  logoName: "Own",
  logDate: "30",
  sysConfig: "sftel",
  cpeMockOnline: 1,
  logo: "/l.png",
  simulationGroup: "5,6",
  menus: data.menus,
};
let answer: object = data;
const requests: string[] = [];
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request.url ?? "");
    response.end(JSON.stringify({ code: 0, msg: "", data: answer }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  setUpCalls({ baseUrl: `http://127.0.0.1:${port}`, onSessionEnd: endSession });
});
afterAll(async () => {
  endSession();
  setUpCalls({ baseUrl: "", onSessionEnd: () => undefined });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const started = async (): Promise<Session> => {
  tokenStore().keep("t", false);
  await loadSession();
  const session = currentSession();
  if (!session) throw new Error("no session");
  return session;
};

it("B-7.1-07: keeps user, permissions, columns, names, logo and menus", async () => {
  const session = await started();
  expect(session).toMatchObject({
    userId: 7,
    loginName: "ops",
    authorities: ["cpeList"],
    perms: ["cpeList"],
    colums: { cpe: ["alias"] },
    cpeColomn: "alias",
    sysName: "SD-WAN",
    syslogoName: "Other",
    logo: "/brand/1",
  });
  expect(session.menus[0]).toMatchObject({ menuName: "用户", path: "/system/usermanage" });
});

it("takes a menu load of the stated shape, with the person inside of user", async () => {
  answer = stated;
  const session = await started();
  answer = data;
  expect(session).toMatchObject({
    userId: 8,
    loginName: "stated",
    roleType: 1,
    groupid: 0,
    authorities: ["cpeAdd"],
    perms: ["cpeAdd"],
    logoName: "Own",
    logDate: "30",
    sysConfig: "sftel",
    cpeMockOnline: 1,
    simulationGroup: "5,6",
    mustAddFactor: false,
  });
  expect(session.menus[0]).toMatchObject({ path: "/system/usermanage" });
});

it("refuses a menu answer without the logged-in user", async () => {
  answer = { menus: data.menus };
  await expect(started()).rejects.toThrow("no user");
  answer = data;
  expect(currentSession()).toBe(null);
});

it("B-3-12: without logoName the name is syslogoName, else what the system is called", async () => {
  const session = await started();
  expect(systemName(session)).toBe("Other");
  expect(systemName({ ...session, logoName: "Own" })).toBe("Own");
  const { syslogoName: _, ...nameless } = session;
  expect(systemName(nameless)).toBe("SD-WAN");
  expect(systemName({ ...nameless, sysConfig: "xiaolong" })).toBe("xiaolong");
  expect(systemName({ ...nameless, sysConfig: "constructor" })).toBe("SD-WAN");
});

it("B-4-05: once the token is cleared there are no menus, and what kept answers is notified", async () => {
  await started();
  let notified = 0;
  onSessionEnd(() => {
    notified += 1;
  });
  endSession();
  expect([tokenStore().read(), currentSession(), notified]).toEqual([null, null, 1]);
});

it("takes the answer to a request that was sent before its code was there, and sends none again", async () => {
  answer = data;
  tokenStore().keep("t", false);
  requests.length = 0;
  await takeSession(sendAhead("/customer/session"));
  expect(currentSession()).toMatchObject({ userId: 7 });
  expect(requests).toEqual(["/customer/session?token=t"]);
});

it("ends the session when that request is refused, whichever caller handles the response", async () => {
  tokenStore().keep("t", false);
  answer = { not: "a session" };
  await expect(takeSession(sendAhead("/customer/session"))).rejects.toThrow();
  expect(tokenStore().read()).toBeNull();
  answer = data;
});
