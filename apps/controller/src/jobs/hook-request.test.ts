import { expect, test } from "vitest";
import { createReach } from "#domains/notifications/channel/public.ts";
import { createPost } from "./hook-request.ts";
import { OutboxError } from "./outbox-way.ts";

test("private and special addresses are forbidden in every form, public ones are not", () => {
  const reachOf = createReach([]);
  const forbidden = [
    "127.0.0.1",
    "127.8.9.1",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "168.63.129.16",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "198.18.0.1",
    "::1",
    "::",
    "fe80::1",
    "fd00::1",
    "fc12::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:a9fe:a9fe",
    "::127.0.0.1",
    "64:ff9b::10.0.0.1",
    "2002:7f00:1::",
    "2001:db8::1",
    "3fff::1",
    "5f00::1",
    "",
    "localhost",
    "1",
  ];
  expect(forbidden.filter((one) => reachOf(one) !== "forbidden")).toEqual([]);
  const open = [
    "1.1.1.1",
    "172.15.0.1",
    "172.32.0.1",
    "100.128.0.1",
    "2400:3200::1",
    "::ffff:1.1.1.1",
  ];
  expect(open.filter((one) => reachOf(one) !== "public")).toEqual([]);
});

test("the operator's networks are reached, and no others", () => {
  const reachOf = createReach(["10.9.0.0/16", "fd00:1::/32", "127.0.0.1/32", "::1/128"]);
  for (const one of ["10.9.3.4", "fd00:1:2::3", "127.0.0.1", "::ffff:10.9.3.4", "::1"]) {
    expect(reachOf(one), one).toBe("private");
  }
  for (const one of ["10.8.3.4", "fd00:2::1", "127.0.0.2", "::ffff:10.8.3.4", "::2"]) {
    expect(reachOf(one), one).toBe("forbidden");
  }
});

test("http and names that resolve inside are refused permanently, before anything is sent", async () => {
  const post = createPost([], 2_000);
  const reasonOf = async (url: string) => {
    const error = await post({ url, headers: {}, body: "" }).then(
      () => null,
      (thrown: unknown) => thrown as OutboxError,
    );
    expect(error).toBeInstanceOf(OutboxError);
    return [error?.isFinal, error?.message];
  };
  const inside = "the address is private, which WEFT_HOOK_NETWORKS does not allow";
  for (const host of ["127.0.0.1:9", "[::1]:9", "localhost:9", "2130706433:9", "0x7f.1:9"]) {
    expect(await reasonOf(`https://${host}/`), host).toEqual([true, inside]);
  }
  expect(await reasonOf("http://1.1.1.1/")).toEqual([
    true,
    "http leads to networks of WEFT_HOOK_NETWORKS only; use https",
  ]);
});
