/** What an expression of PromQL asks for, by the grammar of Prometheus' own editor. */
import { parser } from "@prometheus-io/lezer-promql";

export interface Matcher {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

export interface Expression {
  readonly selectors: readonly Selector[];
  /** Labels of `by` and `without`. */
  readonly grouping: readonly string[];
}

/** @throws Error with the place that is no PromQL */
export function readPromql(text: string): Expression {
  const selectors: { metric: string; matchers: Matcher[] }[] = [];
  const grouping: string[] = [];
  let matched: { label: string; operator: string } | null = null;
  let isGrouping = false;
  parser.parse(text).iterate({
    enter({ name, from, to, type }) {
      if (type.isError) throw new Error(`no PromQL at ${from}: ${text}`);
      const part = text.slice(from, to);
      if (name === "VectorSelector") selectors.push({ metric: "", matchers: [] });
      const selector = selectors.at(-1);
      if (name === "GroupingLabels") isGrouping = true;
      if (name === "Identifier" && selector?.metric === "") selector.metric = part;
      if (name === "LabelName" && isGrouping) grouping.push(part);
      else if (name === "LabelName") matched = { label: part, operator: "" };
      if (name === "MatchOp" && matched) matched.operator = part;
      if (name === "StringLiteral" && matched) {
        selector?.matchers.push({ ...matched, value: part.slice(1, -1) });
        matched = null;
      }
    },
    leave({ name }) {
      if (name === "GroupingLabels") isGrouping = false;
    },
  });
  return { selectors, grouping };
}
