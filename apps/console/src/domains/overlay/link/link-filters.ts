import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { codeOptions } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import type { FilterSpec } from "#kernel/list/filter-bar.tsx";
import { useLinkTexts } from "./messages.ts";

/** Spaces that the filter offers. */
const maxSpaces = 1_000;

/** Filters of a list of links: by node, state and space. */
export function useLinkFilters(): FilterSpec[] {
  const t = useLinkTexts();
  const spaces = useCall(netSpace.ops.list, {
    name: null,
    groupid: null,
    page: 1,
    limit: maxSpaces,
    orderByColumn: "name",
    isAsc: "asc",
  });
  return [
    { key: "name", kind: "text", label: t("links.search") },
    {
      key: "status",
      kind: "select",
      label: t("links.state"),
      options: codeOptions(t, "linkUp", [0, 1]),
    },
    {
      key: "trouble",
      kind: "select",
      label: t("links.trouble"),
      options: [true, false].map((value) => ({ value, label: t(`links.trouble.${value}`) })),
    },
    { key: "isp", kind: "text", label: t("links.isp") },
    {
      key: "netSpaceId",
      kind: "select",
      label: t("links.space"),
      options: (spaces.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
    },
  ];
}
