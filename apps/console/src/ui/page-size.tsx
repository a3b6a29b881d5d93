import AutoComplete from "antd/es/auto-complete";
import { useState } from "react";
import { useRested } from "./use-rested.ts";

/** A typed size counts once no key was pressed for this long, in ms (specification section 9). */
const typingPause = 1_000;

interface Props {
  readonly sizes: readonly number[];
  readonly size: number;
  /** What the control is called. */
  readonly label: string;
  nameOf(size: number): string;
  onChoose(size: number): void;
  /** Something else was typed. */
  onType(text: string): void;
}

/** Rows per page: one of the offered sizes, or a typed one. */
export function PageSize({ sizes, size, label, nameOf, onChoose, onType }: Props) {
  const [text, setText] = useRested(typingPause, onType);
  const [isFocused, setFocused] = useState(false);
  return (
    <AutoComplete
      className="w-page-size"
      aria-label={label}
      // Empty while it is being typed into; the present value is its placeholder.
      value={text ?? (isFocused ? "" : nameOf(size))}
      placeholder={nameOf(size)}
      options={sizes.map((size) => ({ value: String(size), label: nameOf(size) }))}
      onSelect={(value: string) => {
        setText(null);
        onChoose(Number(value));
      }}
      onSearch={setText}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      style={{ width: 108 }}
    />
  );
}
