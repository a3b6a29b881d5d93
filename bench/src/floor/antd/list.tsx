import DatePicker from "antd/es/date-picker";
import Select from "antd/es/select";
import Table from "antd/es/table";
import Transfer from "antd/es/transfer";

// As many rows as a page of the console's list has.
const rows = Array.from({ length: 10 }, (_, at) => ({ key: String(at), name: `site-${at}` }));

export function List() {
  return (
    <>
      <Select options={rows.map(({ key, name }) => ({ value: key, label: name }))} />
      <DatePicker />
      <Table dataSource={rows} columns={[{ dataIndex: "name", title: "Name" }]} />
      <Transfer dataSource={rows.map((row) => ({ ...row, title: row.name }))} targetKeys={[]} />
    </>
  );
}
