/** Lists of what an enterprise has: inside its page, and with its name as the way there. */
import { Link } from "react-router";
import { paths } from "#client/paths.ts";
import { type Column, headWidth } from "#kernel/list/columns.tsx";
import type { FilterSpec } from "#kernel/list/filter-bar.tsx";
import { Missing } from "#ui/missing.tsx";
import { textWidth } from "#ui/text-width.ts";

/** Of a list that is a page of its own, and a tab of an enterprise's page. */
export interface OfEnterprise {
  /** The enterprise whose rows alone are listed; absent: those of all. */
  readonly groupid?: number | undefined;
}

/** What the call of such a list is asked with beside what a person chooses. */
export const fixedTo = (groupid: number | undefined): { readonly groupid?: number } =>
  groupid === undefined ? {} : { groupid };

/** Filters without the one for what is fixed. */
export const filtersBeside = (
  groupid: number | undefined,
  filters: readonly FilterSpec[],
): readonly FilterSpec[] =>
  groupid === undefined ? filters : filters.filter(({ key }) => key !== "groupid");

interface Row {
  readonly groupid: number | null;
  readonly enterpriseName: string | null;
}

/** The enterprise of a row by its name, which leads to its page. */
export const enterpriseColumn = <R extends Row>(
  title: string,
  options: { readonly width?: number; readonly optional?: boolean } = {},
): Column<R> => ({
  key: "enterpriseName",
  title,
  width: options.width ?? 140,
  // Its cell cuts a longer name.
  narrowest: headWidth(title, false),
  need: ({ enterpriseName }) => textWidth(enterpriseName ?? ""),
  ...(options.optional && { optional: true }),
  cell: ({ groupid, enterpriseName }) => {
    if (enterpriseName === null || enterpriseName === "") return <Missing />;
    if (groupid === null) return enterpriseName;
    return (
      <Link className="w-link w-cut" to={paths.enterprisePage(groupid)} title={enterpriseName}>
        {enterpriseName}
      </Link>
    );
  },
});
