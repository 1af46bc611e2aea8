/** An input of a form that is configured in the site content. The field name is `name` or, without it, the label in lower case. */
export type ConfiguredInput = {
  readonly label: string;
  readonly name?: string;
  readonly type: 'text' | 'email' | 'tel' | 'textarea';
  readonly required: boolean;
  readonly autoComplete?: string;
  readonly placeholder?: string;
  /** The input shares its row with the next input if there is room. */
  readonly half?: true;
};
