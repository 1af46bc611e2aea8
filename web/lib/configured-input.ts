/** An input of a configured form. Its field is named by `name`, else by its label in lower case. */
export type ConfiguredInput = {
  readonly label: string;
  readonly name?: string;
  readonly type: 'text' | 'email' | 'tel' | 'textarea';
  readonly required: boolean;
  readonly autoComplete?: string;
  readonly placeholder?: string;
  /** Where there is room, it shares its row with the next one. */
  readonly half?: true;
};
