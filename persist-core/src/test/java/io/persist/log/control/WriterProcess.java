package io.persist.log.control;

import io.persist.error.PersistException;
import io.persist.log.Durability;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.ChildJvm;
import io.persist.support.Records;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * Another process that writes a log, when told: it answers "done", a number, or the name and the message of an
 * exception. Records have the numbers of {@link Records}.
 */
final class WriterProcess {

    static final String DONE = "done";

    private final Path directory;
    private Log log;

    private WriterProcess(Path directory) {
        this.directory = directory;
    }

    static ChildJvm start(Path directory) throws IOException {
        return ChildJvm.startBriefly(WriterProcess.class, directory);
    }

    public static void main(String[] arguments) throws IOException {
        WriterProcess process = new WriterProcess(Path.of(arguments[0]));
        try (BufferedReader questions = ChildJvm.questions()) {
            for (String question = questions.readLine(); question != null; question = questions.readLine()) {
                System.out.println(process.answer(question.split(" ")));
            }
        }
    }

    private String answer(String[] words) throws IOException {
        try {
            switch (words[0]) {
                case "open" ->
                    log = Log.open(WriterKind.MAPPED.config(directory).build());
                case "append" -> {
                    Records.append(log, Integer.parseInt(words[1]));
                    log.commit(Durability.SYNCED);
                }
                case "close" -> log.close();
                case "backup" -> backup(Path.of(words[1]));
                default -> throw new IllegalArgumentException(words[0]);
            }
            return DONE;
        } catch (PersistException e) {
            return e.getClass().getSimpleName() + " " + e.getMessage();
        }
    }

    /** What a program does that knows nothing of locks. */
    private void backup(Path target) throws IOException {
        Files.createDirectories(target);
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> all = files.toList();
            for (Path file : all) {
                try {
                    Files.copy(file, target.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
                } catch (NoSuchFileException renamed) {
                    // A segment was being made.
                }
            }
        }
    }
}
