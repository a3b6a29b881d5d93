import { expect, test } from "vitest";
import { Exhaustion, useOf } from "./exhausted.ts";

const range = {
  interfaceName: "lan1",
  address: "10.1.7.1/24",
  first: "10.1.7.200",
  last: "10.1.7.202",
};
const line = (last: number, until = 2_000) =>
  `${until} 02:00:00:00:00:${last.toString(16)} 10.1.7.${last} * *\n`;
const now = 1_000_000;
const usesOf = (lasts: readonly number[], reserved: readonly string[] = []) =>
  useOf(lasts.map((last) => line(last)).join(""), [range], reserved, now);
const full = [{ interfaceName: "lan1", first: "10.1.7.200", last: "10.1.7.202" }];
const counted = (uses: ReturnType<typeof usesOf>) => uses.map(({ size, used }) => [size, used]);
const refusal = "dnsmasq-dhcp: DHCPDISCOVER(lan1) 02:00:00:00:00:99 no address available\n";

test("leases of the range count, others and those that ended do not", () => {
  expect(counted(usesOf([200, 201, 9]))).toEqual([[3, 2]]);
  const ended = `${line(200)}${line(201, 900)}`;
  expect(counted(useOf(ended, [range], [], now))).toEqual([[3, 1]]);
});

test("what is reserved, the device's own address and ends of class C networks are none to give", () => {
  expect(counted(usesOf([200, 201], ["10.1.7.201", "10.1.7.9"]))).toEqual([[2, 1]]);
  const own = { ...range, address: "10.1.7.202/24" };
  expect(counted(useOf("", [own], [], now))).toEqual([[2, 0]]);
  const wide = { ...range, address: "192.168.1.1/22", first: "192.168.1.254", last: "192.168.3.1" };
  expect(counted(useOf("", [wide], [], now))).toEqual([[256 + 4 - 4, 0]]);
});

test("a range is exhausted while hosts have all of it", () => {
  const of = (lasts: number[], reserved: string[] = []) =>
    new Exhaustion().exhausted(usesOf(lasts, reserved), now);
  expect(of([200, 201])).toEqual([]);
  expect(of([200, 201, 202])).toEqual(full);
  expect(of([200, 201], ["10.1.7.202"])).toEqual(full);
  expect(of([], ["10.1.7.200", "10.1.7.201", "10.1.7.202"])).toEqual([]);
});

test("a refused host shows that the range is exhausted although leases are left, until one more is free or no host requests one", () => {
  const one = new Exhaustion();
  one.note("dnsmasq: started\n", usesOf([200, 201]), now);
  expect(one.exhausted(usesOf([200, 201]), now)).toEqual([]);
  one.note(refusal, usesOf([200, 201]), now);
  expect(one.exhausted(usesOf([200, 201]), now)).toEqual(full);
  expect(one.exhausted(usesOf([200]), now)).toEqual([]);
  expect(one.exhausted(usesOf([200, 201]), now + 299_000)).toEqual(full);
  expect(one.exhausted(usesOf([200, 201]), now + 300_000)).toEqual([]);
  const wider = useOf(line(200) + line(201), [{ ...range, last: "10.1.7.203" }], [], now);
  expect(one.exhausted(wider, now)).toEqual([]);
  const other = new Exhaustion();
  other.note(refusal.replace("lan1", "lan2"), usesOf([200, 201]), now);
  expect(other.exhausted(usesOf([200, 201]), now)).toEqual([]);
});
