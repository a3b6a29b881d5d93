import { enterpriseCombo } from "@weft/contract/domains/enterprises/enterprise.ts";
import Select from "antd/es/select";
import { useSearch } from "#client/search.ts";
import { useCall } from "#client/use-call.ts";

interface Props {
  readonly label: string;
  readonly groupid: number;
}

/** Whose settings a page shows, kept in its address; nothing for who has one enterprise only. */
export function EnterpriseChoice({ label, groupid }: Props) {
  const [, changeSearch] = useSearch();
  const { data = [] } = useCall(enterpriseCombo, {});
  if (data.length < 2) return null;
  return (
    <Select
      aria-label={label}
      className="w-choice"
      value={groupid}
      options={data.map((row) => ({ value: row.groupid, label: row.name }))}
      showSearch={{ optionFilterProp: "label" }}
      onChange={(value) => changeSearch(() => new URLSearchParams({ groupid: String(value) }))}
    />
  );
}
