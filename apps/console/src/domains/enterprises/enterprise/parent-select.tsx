import { enterpriseTreeList } from "@weft/contract/domains/enterprises/enterprise.ts";
import TreeSelect from "antd/es/tree-select";
import { useCall } from "#client/use-call.ts";
import { treeOptions } from "./lineage.ts";

interface Props {
  readonly id: string;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  /** The enterprise being edited: it cannot be below itself. */
  readonly without: number | null;
  readonly disabled: boolean;
  readonly isWrong: boolean;
  readonly placeholder: string;
}

/** Chooses where in the tree an enterprise is. */
export function ParentSelect(props: Props) {
  const tree = useCall(enterpriseTreeList, { isAgent: null, enterpriseType: null });
  return (
    <TreeSelect
      id={props.id}
      {...(props.value !== null && { value: props.value })}
      onChange={(value: number | undefined) => props.onChange(value ?? null)}
      treeData={treeOptions(tree.data ?? [], props.without)}
      treeDefaultExpandAll
      showSearch={{ treeNodeFilterProp: "title" }}
      allowClear
      disabled={props.disabled}
      loading={tree.isFirstLoad}
      placeholder={props.placeholder}
      {...(props.isWrong && { status: "error" as const })}
    />
  );
}
