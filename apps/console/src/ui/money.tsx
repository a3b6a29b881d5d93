import { fromMinor } from "@weft/contract/rules/money.ts";
import { Missing } from "./missing.tsx";

interface Props {
  /** Minor units. */
  readonly value: number | null;
  /** True: what came in has its plus. */
  readonly isSigned?: boolean | undefined;
}

/** 1234567 -> "12,345.67". */
export const moneyText = (minor: number): string => {
  const [whole = "", cents = ""] = fromMinor(minor).split(".");
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${cents}`;
};

/** An amount; digits line up, and what is below zero says so by its sign and its tone. */
export function Money({ value, isSigned = false }: Props) {
  if (value === null) return <Missing />;
  return (
    <span className={value < 0 ? "w-bad" : ""}>
      {isSigned && value > 0 ? "+" : ""}
      {moneyText(value)}
    </span>
  );
}
