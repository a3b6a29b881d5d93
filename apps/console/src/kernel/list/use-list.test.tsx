import { useQueryClient } from "@tanstack/react-query";
import { allResources } from "@weft/contract/all-endpoints.ts";
import { toRequest } from "@weft/contract/kernel/client.ts";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { describe, expect, it } from "vitest";
import { renderForTest } from "#client/render-for-test.tsx";
import { useResourceList } from "./use-list.ts";

interface Props {
  readonly resource: AnyResource;
  readonly queries: unknown[];
}

/** A screen with this list, which notes what it asks for. */
function Screen({ resource, queries }: Props) {
  useResourceList(resource, { fixed: ownersOf(resource) as never });
  const cache = useQueryClient().getQueryCache();
  queries.push(...cache.getAll().map(({ queryKey }) => queryKey[2]));
  return null;
}

/** Whose rows a list inside of a page is of: a screen knows that before it asks. */
const ownersOf = (resource: AnyResource): Record<string, number> => {
  const { input } = resource.ops.list as unknown as { input: { shape: Record<string, Field> } };
  return Object.fromEntries(
    Object.entries(input.shape)
      .filter(([, field]) => !field.safeDecode("").success && !field.safeDecode(undefined).success)
      .map(([name]) => [name, 7]),
  );
};
interface Field {
  safeDecode(value: unknown): { readonly success: boolean };
}

const lists = Object.values(allResources as Readonly<Record<string, unknown>>)
  .map((one) => one as AnyResource)
  .filter(({ verbs }) => verbs.includes("list"));

describe("a list screen", () => {
  it.each(lists.map((resource) => [resource.name, resource] as const))(
    "B-7-11: of %s asks with page and limit",
    (_, resource) => {
      const queries: unknown[] = [];
      renderForTest(<Screen resource={resource} queries={queries} />, []);
      expect(queries.length).toBe(1);
      const { path } = toRequest(resource.ops.list as Endpoint, queries[0] as never);
      const query = new URL(path, "http://localhost").searchParams;
      // The list of templates calls its limit size (section 2.7).
      expect([query.get("page"), query.get("limit") || query.get("size")]).toEqual(["1", "10"]);
    },
  );
});
