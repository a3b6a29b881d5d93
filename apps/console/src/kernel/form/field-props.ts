import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import type { ComponentType, ReactNode } from "react";
import type { FieldKind } from "./field-schema.ts";

/** A choice of a select or of radio buttons. */
export interface Option {
  readonly value: string | number;
  readonly label: string;
  /** A line under the label of a radio button. */
  readonly help?: string;
  readonly disabled?: boolean;
}

/** A field as its control sees it. */
export interface ControlState<Value = unknown> {
  readonly id: string;
  readonly value: Value;
  set(value: Value): void;
  /** The field was left. */
  leave(): void;
  readonly isWrong: boolean;
  readonly disabled: boolean;
  /** Id of the line with help or mistake. */
  readonly describedBy: string;
  /** Id of the field's name, for groups of controls, which a label cannot name; absent: they stand outside of a form. */
  readonly labelledBy?: string;
}

/** What a control gets. */
export interface ControlProps {
  readonly control: ControlState;
  /** True: empty is null; false: empty text stays text, an empty number is missing. */
  readonly isNullable: boolean;
  readonly field: FieldProps;
}

export interface FieldProps {
  /** Field of the draft. */
  readonly name: string;
  /** One of the kernel's, or a control of a subject that the kernel does not know. */
  readonly kind?: FieldKind | ComponentType<ControlProps>;
  /** By default, the contract's name of the field. */
  readonly label?: string;
  /** It must be filled because of what other fields hold: marked as one that its schema requires. */
  readonly required?: boolean;
  /** Shown when it is empty and may not be, instead of "Required". */
  readonly missing?: string;
  readonly help?: ReactNode;
  readonly unit?: string;
  readonly options?: readonly Option[];
  /** Why it cannot be changed. */
  readonly disabled?: string | false;
  readonly placeholder?: string;
  /** Of kind combo: the call that lists the choices. */
  readonly endpoint?: Endpoint;
  /** A value as its control shows it, where that is neither text nor one of `options`. */
  readonly format?: (value: unknown) => string;
  readonly autoComplete?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the value's type belongs to the field, not to the form
  readonly children?: (control: ControlState<any>) => ReactNode;
}
