package io.persist.file.disk;

import io.persist.file.Storage;
import io.persist.file.WriterLock;
import io.persist.support.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;

/** Another JVM which takes and gives up the lock of a directory when told; it ends with its standard input. */
final class LockProcess {

    private LockProcess() {}

    /** To be asked to "lock" or "unlock". */
    static ChildJvm start(Path directory) throws IOException {
        return ChildJvm.startBriefly(LockProcess.class, directory);
    }

    public static void main(String[] args) throws IOException {
        Storage storage = DirectoryStorage.create(Path.of(args[0]));
        BufferedReader questions = ChildJvm.questions();
        WriterLock lock = null;
        for (String question = questions.readLine(); question != null; question = questions.readLine()) {
            if (question.equals("lock")) {
                lock = storage.tryLock("lock");
                System.out.println(lock == null ? "refused" : "locked");
            } else {
                if (lock != null) {
                    lock.close();
                }
                System.out.println("unlocked");
            }
        }
    }
}
