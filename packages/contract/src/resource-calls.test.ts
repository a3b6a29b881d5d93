import { expect, expectTypeOf, test } from "vitest";
import { allEndpoints, allResources, type ResourceName } from "./all-endpoints.ts";
import { policyFamilies } from "./domains/policies/policy-families.ts";
import type { Endpoint, InputOf } from "./kernel/endpoint.ts";
import { endpointsOf } from "./kernel/policy-family.ts";
import type { AnyResource } from "./kernel/resource.ts";

const byPath = new Map<string, Endpoint>(allEndpoints.map((endpoint) => [endpoint.path, endpoint]));

const isMounted = (one: Endpoint): boolean => byPath.get(one.path) === one;

/** Calls of a resource that are not the ones on the wire: who calls by the resource misses what those ask for. */
const unlike = (resources: Readonly<Record<string, AnyResource>>): string[] =>
  Object.values(resources).flatMap(({ name, verbs, ops }) =>
    verbs.filter((verb) => !isMounted(ops[verb])).map((verb) => `${name}.${verb}`),
  );

test("a resource names the calls that are on the wire, so that a call without a needed field does not compile", () => {
  expect(unlike(allResources)).toEqual([]);
  const families = policyFamilies.flatMap(({ template, manage }) => [template, manage]);
  expect(families.flatMap(endpointsOf).filter((one) => !isMounted(one))).toEqual([]);
});

type Ops<Name extends ResourceName> = (typeof allResources)[Name]["ops"];
/** The caller's own password: null is sent, and not left out, where a login by an identity provider stands for it. */
type OwnPassword = string | null;

test("a call that makes a way in does not compile without the caller's password", () => {
  expectTypeOf<InputOf<Ops<"user">["add"]>["oldPsw"]>().toEqualTypeOf<OwnPassword>();
  expectTypeOf<InputOf<Ops<"user">["edit"]>["oldPsw"]>().toEqualTypeOf<OwnPassword>();
  expectTypeOf<InputOf<Ops<"apiKey">["add"]>["oldPsw"]>().toEqualTypeOf<OwnPassword>();
  expectTypeOf<InputOf<Ops<"apiKey">["edit"]>["oldPsw"]>().toEqualTypeOf<OwnPassword>();
  expectTypeOf<InputOf<Ops<"identityProvider">["add"]>["oldPsw"]>().toEqualTypeOf<OwnPassword>();
  expectTypeOf<InputOf<Ops<"identityProvider">["edit"]>["oldPsw"]>().toEqualTypeOf<OwnPassword>();
  expectTypeOf<InputOf<Ops<"role">["edit"]>["oldPsw"]>().toEqualTypeOf<OwnPassword>();
  expectTypeOf<InputOf<Ops<"enterprise">["edit"]>["oldPsw"]>().toEqualTypeOf<OwnPassword>();
});
