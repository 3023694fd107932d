package io.persist.matrix.fault;

import io.persist.StoreView;
import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.log.LogConfig;
import io.persist.log.read.Tailer;
import io.persist.matrix.Life;
import io.persist.matrix.Subject;
import io.persist.memory.MissingPage;
import io.persist.store.StoreConfig;
import io.persist.support.ChildJvm;
import io.persist.support.Interposed;
import io.persist.support.Records;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/**
 * Another process that reads and writes logs whose files are cut under its mappings. It does what a line says, answers
 * {@value #MAPPED} when the file is mapped that is to be cut, waits for a line, goes on, and answers what came of it.
 * Everything is done so often beforehand that it runs as compiled code.
 */
final class MappingReader {

    static final String MAPPED = "mapped";
    static final int KEYS = 600;

    private static final int READ_BEFORE = 40_000;

    private static final BufferedReader questions = ChildJvm.questions();

    private MappingReader() {}

    public static void main(String[] args) throws Exception {
        Subject subject = Subject.named(args[0]);
        while (true) {
            String line = questions.readLine();
            if (line == null) {
                return;
            }
            String[] words = line.split(" ");
            Path directory = Path.of(words[1]);
            System.out.println(
                    switch (words[0]) {
                        case "tail" -> tail(subject, directory, Long.parseLong(words[2]), Long.parseLong(words[3]));
                        case "open" -> open(subject, directory, words[2], Integer.parseInt(words[3]));
                        case "get" -> get(directory);
                        default -> "unknown: " + line;
                    });
        }
    }

    /** The parent cuts the file now. */
    private static void pause() throws IOException {
        System.out.println(MAPPED);
        questions.readLine();
    }

    private static String outcome(Callable<String> work) {
        try {
            String end = work.call();
            MissingPage.check(); // what comes late belongs to this
            return end;
        } catch (Throwable failed) {
            if (!(failed instanceof PersistException || failed instanceof InternalError)) {
                failed.printStackTrace(); // to tell where, if the parent finds it wrong
            }
            forgetLateError();
            return failed.getClass().getSimpleName();
        }
    }

    /** Work that failed may have missed more pages than the one of which it told. */
    private static void forgetLateError() {
        try {
            MissingPage.check();
        } catch (InternalError late) {
            // It is of the work that is over.
        }
    }

    /** Reads the segment at {@code base}; then all from {@code next} on. */
    private static String tail(Subject subject, Path directory, long base, long next) throws IOException {
        Storage storage = DirectoryStorage.open(directory);
        long[] count = new long[2];
        String outcome;
        try (Tailer tailer = subject.tailer(storage)) {
            for (int read = 0; read < READ_BEFORE; ) {
                tailer.toStart();
                while (tailer.next()) {
                    read++;
                }
            }
            tailer.toPosition(base);
            tailer.next();
            pause();
            outcome = outcome(() -> {
                count[0] = 1;
                while (tailer.next()) {
                    count[0]++;
                }
                return "END";
            });
        }
        String rest = outcome(() -> {
            try (Tailer tailer = subject.tailer(storage)) {
                tailer.toPosition(next);
                while (tailer.next()) {
                    count[1]++;
                }
                return "END";
            }
        });
        return outcome + " " + count[0] + " " + rest + " " + count[1];
    }

    /** Opens the log; the {@code nth} mapping of {@code file} is the one that is cut. */
    private static String open(Subject subject, Path directory, String file, int nth) throws IOException {
        Storage storage = pausing(DirectoryStorage.open(directory), file, nth);
        return outcome(() -> {
            try (Life life = subject.open(storage, CutUnderMapping.SEGMENT_LENGTH)) {
                return life.recovery().kept().lastSequence() < 0 ? "?" : "OPENED";
            }
        });
    }

    /** Gets all keys. */
    private static String get(Path directory) throws IOException {
        Storage storage = DirectoryStorage.open(directory);
        StoreConfig config =
                StoreConfig.builder(LogConfig.builder(directory).build()).build();
        int found = 0;
        int refused = 0;
        try (StoreView view = StoreView.open(storage, storage)) {
            for (int i = 0; i < READ_BEFORE; i++) {
                view.snapshot().get(key(i % KEYS));
            }
            pause();
            for (int i = 0; i < KEYS; i++) {
                try {
                    ByteBuffer value = view.snapshot().get(key(i));
                    MissingPage.check();
                    found += ByteBuffer.wrap(Records.of(i)).equals(value) ? 1 : 0;
                } catch (PersistException typed) {
                    forgetLateError();
                    refused++;
                }
            }
        }
        return "END " + found + " " + refused;
    }

    static byte[] key(int number) {
        return new byte[] {(byte) (number >> 8), (byte) number};
    }

    // ---- a storage that waits behind a mapping

    private static Storage pausing(Storage storage, String name, int nth) {
        int[] maps = new int[1];
        return Interposed.afterFiles(storage, (file, call) -> {
            if (file.equals(name) && call.equals("map") && ++maps[0] == nth) {
                pause();
            }
        });
    }
}
