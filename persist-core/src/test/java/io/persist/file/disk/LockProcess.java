package io.persist.file.disk;

import io.persist.file.Storage;
import io.persist.file.WriterLock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Another JVM which takes and gives up the lock of a directory when told; it ends with its standard input. */
final class LockProcess implements AutoCloseable {

    private final Process process;
    private final PrintStream questions;
    private final BufferedReader answers;

    LockProcess(Path directory) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockProcess.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        questions = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Asks to "lock" or "unlock" and waits for the answer; null if the process is dead. */
    String ask(String question) throws IOException {
        questions.println(question);
        return answers.readLine();
    }

    /** As kill -9 does; returns when the process is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        questions.close();
        process.destroyForcibly();
    }

    public static void main(String[] args) throws IOException {
        Storage storage = DirectoryStorage.create(Path.of(args[0]));
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
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
