// The configuration block of the task provider.
import { attr, type ConfigOf, configSchema } from '@tenon/provider';

export const config = configSchema({
  data_folder: attr.string({
    description:
      'Folder under which each session keeps its tasks; a relative one is below the working directory of the call.',
    default: '.agent/sessions',
  }),
  max_tasks: attr.number({
    description: 'Tasks that one session may hold.',
    default: 1_000,
  }),
});

export type TaskConfig = ConfigOf<typeof config>;
