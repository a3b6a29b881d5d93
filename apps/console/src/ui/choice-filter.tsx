import Select from "antd/es/select";
import type { ReactNode } from "react";
import type { FilterProps } from "./filter-props.ts";
import { textWidth } from "./text-width.ts";

interface Props extends FilterProps {
  readonly options: readonly { readonly value: string | number; readonly label: ReactNode }[];
  /** px at least: a longer label widens it. */
  readonly width: number;
  /** Typing narrows a long list by its labels. */
  readonly isSearched?: boolean;
  readonly isLoading?: boolean;
  readonly onOpen?: () => void;
}

/** px beside the text: padding, border and the arrow. */
const around = 44;
/** px: names of a long list are cut beyond it. */
const widest = 240;

/** A filter above a list that is one of several values; cleared, it does not filter. */
export function ChoiceFilter(props: Props) {
  const { label, value, options, width, isSearched = false, isLoading = false, onOpen } = props;
  const texts = isSearched ? [] : options.map((option) => option.label);
  const needed = [label, ...texts]
    .filter((text) => typeof text === "string")
    .map((text) => Math.min(textWidth(text) + around, widest));
  return (
    <Select
      aria-label={label}
      placeholder={label}
      allowClear
      {...(isSearched && { showSearch: { optionFilterProp: "label" } })}
      // In a short bar it gives way.
      style={{
        width: Math.max(width, ...needed),
        minWidth: Math.max(120, textWidth(label) + around),
      }}
      value={value}
      loading={isLoading}
      options={[...options]}
      onOpenChange={(isOpen) => isOpen && onOpen?.()}
      onChange={(next) => props.onChange(next ?? null)}
    />
  );
}
