import Select from "antd/es/select";
import type { ReactNode } from "react";
import type { FilterProps } from "./filter-props.ts";

interface Props extends FilterProps {
  readonly options: readonly { readonly value: string | number; readonly label: ReactNode }[];
  /** px. */
  readonly width: number;
  /** Typing narrows a long list by its labels. */
  readonly isSearched?: boolean;
  readonly isLoading?: boolean;
  readonly onOpen?: () => void;
}

/** A filter above a list that is one of several values; cleared, it does not filter. */
export function ChoiceFilter(props: Props) {
  const { label, value, options, width, isSearched = false, isLoading = false, onOpen } = props;
  return (
    <Select
      aria-label={label}
      placeholder={label}
      allowClear
      {...(isSearched && { showSearch: { optionFilterProp: "label" } })}
      style={{ width }}
      value={value}
      loading={isLoading}
      options={[...options]}
      onOpenChange={(isOpen) => isOpen && onOpen?.()}
      onChange={(next) => props.onChange(next ?? null)}
    />
  );
}
