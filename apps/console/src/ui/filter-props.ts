/** What a filter gets; null: it does not filter. */
export interface FilterProps<Value = string | number> {
  readonly label: string;
  readonly value: Value | null;
  onChange(value: Value | null): void;
}
