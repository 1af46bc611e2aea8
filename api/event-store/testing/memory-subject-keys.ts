import { newKeyBytes, SubjectErased, type SubjectKey, type SubjectKeys } from '../encryption/subject-keys.ts';

/** Keeps keys in memory, for tests. By default each key counts as older than any event, so that none seems lost; `madeAt` changes that. */
export const memorySubjectKeys = (madeAt: () => number = () => 0): SubjectKeys & { lose(subject: string): void } => {
  const keys = new Map<string, SubjectKey | 'erased'>();
  return {
    keyFor: async (subject) => {
      const key = keys.get(subject) ?? { bytes: newKeyBytes(), madeAt: madeAt() };
      if (key === 'erased') throw new SubjectErased(subject);
      keys.set(subject, key);
      return key;
    },
    keysOf: async (subjects) => {
      const found = new Map<string, SubjectKey>();
      for (const subject of subjects) {
        const key = keys.get(subject);
        if (key && key !== 'erased') found.set(subject, key);
      }
      return found;
    },
    erase: async (...subjects) => {
      for (const subject of subjects) keys.set(subject, 'erased');
    },
    lose: (subject) => void keys.delete(subject),
  };
};
