/** An input of a form that is configured in the site content. Its field name is `name`, else the label in lower case. */
export type ConfiguredInput = {
  readonly label: string;
  readonly name?: string;
  readonly type: 'text' | 'email' | 'tel' | 'textarea';
  readonly required: boolean;
  readonly autoComplete?: string;
  readonly placeholder?: string;
  /** Shares its row with the next input where there is room. */
  readonly half?: true;
};
