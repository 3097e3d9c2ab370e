import { writeGenerated } from './write-generated';

for (const path of writeGenerated(process.cwd())) console.log(path);
