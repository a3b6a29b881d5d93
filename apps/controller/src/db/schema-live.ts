/** Types of the tables of migrations/0011-tickets.sql. */
interface TicketTable {
  hash: Buffer;
  enterprise_id: number;
  user_id: number;
  family: string;
  key_id: number | null;
  purpose: string;
  content: string;
  language: string;
  expires_at: Date;
}

export interface LiveTables {
  ticket: TicketTable;
}
