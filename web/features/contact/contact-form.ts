/** An input of the configured form. */
export type ContactInput = {
  readonly label: string;
  readonly name?: string;
  readonly type: 'text' | 'email' | 'tel' | 'textarea';
  readonly required: boolean;
  readonly autoComplete?: string;
  readonly placeholder?: string;
  /** Where there is room, it shares its row with the next one. */
  readonly half?: true;
};

/** A field is named by its input's name, else by its label in lower case (specification, section 3). */
export const fieldNameOf = ({ name, label }: Pick<ContactInput, 'name' | 'label'>): string => name ?? label.toLowerCase();
