package io.persist.bench.result;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The directory of a run. */
public final class RunDirectory {

    public static final String FILE = "run.json";

    /** With which the histogram logs begin, as a comment. */
    public static final String LOG_COMMENT = "[Persist, latencies of ";

    /** As a glob: what the programs call the latencies of a series, and of a run that has only one. */
    private static final String LATENCIES = "latencies.{hlog,*.hlog,*.bin}";

    private static final String LOGS = "latencies.{hlog,*.hlog}";

    /** Of the programs whose {@code --output} is the directory of the run itself, so that others may use it too. */
    private static final String LOG_BEGINS = "#" + LOG_COMMENT;

    private static final Gson GSON =
            new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    private final Path path;

    public RunDirectory(Path path) {
        this.path = path;
    }

    public Path path() {
        return path;
    }

    /** Whether there is a result in it. */
    public boolean hasResult() {
        return Files.isRegularFile(path.resolve(FILE));
    }

    /**
     * A file that {@link #forget} would take away and that is none of a run's: a {@code run.json} that is no record,
     * or, where there is no record, a histogram log of somebody else. A file that is empty is what a killed run leaves.
     */
    public Optional<Path> stranger() throws IOException {
        if (hasResult() && Files.size(path.resolve(FILE)) > 0) {
            return isRecord() ? Optional.empty() : Optional.of(path.resolve(FILE));
        }
        if (!Files.isDirectory(path)) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(path, LOGS)) {
            for (Path log : logs) {
                if (Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS) && !beginsAsOwn(log)) {
                    return Optional.of(log);
                }
            }
        }
        return Optional.empty();
    }

    private boolean isRecord() {
        try {
            return load().program() != null;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean beginsAsOwn(Path log) {
        try (InputStream file = Files.newInputStream(log)) {
            String begin = new String(file.readNBytes(LOG_BEGINS.length()), StandardCharsets.ISO_8859_1);
            return LOG_BEGINS.startsWith(begin);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Takes the record of an earlier run away, and the files of its latencies: the next run may have other series, or
     * fail before it has any, and the report would show these beside its own. Nothing else is touched, and no link.
     */
    public void forget() throws IOException {
        Files.deleteIfExists(path.resolve(FILE));
        if (!Files.isDirectory(path)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path, LATENCIES)) {
            for (Path file : files) {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /**
     * Deletes what an earlier call of a program has left below {@code output}, a run in each directory: the record and
     * the latencies, and the directory unless there is something else in it.
     *
     * @param output it need not be there
     * @param names of the directories that the program makes
     * @param program of the runs; those of others stay, and so does what cannot be read
     */
    public static void forgetRuns(Path output, Pattern names, String program) throws IOException {
        if (!Files.isDirectory(output)) {
            return;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(output)) {
            for (Path path : all) {
                RunDirectory run = new RunDirectory(path);
                if (names.matcher(path.getFileName().toString()).matches()
                        && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                        && run.isOf(program)) {
                    run.forget();
                    deleteIfEmpty(path);
                }
            }
        }
    }

    private boolean isOf(String program) {
        try {
            return program.equals(load().program());
        } catch (IOException e) {
            return false;
        }
    }

    private static void deleteIfEmpty(Path directory) throws IOException {
        try {
            Files.delete(directory);
        } catch (DirectoryNotEmptyException e) {
            // Somebody has put something beside the run.
        }
    }

    /** Writes {@code run.json} whole or not at all, in place of one that is there. */
    public void save(RunResult result) throws IOException {
        Path unfinished = path.resolve(FILE + ".tmp");
        try (OutputStream file = ResultFile.create(unfinished)) {
            file.write((GSON.toJson(result) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        Files.move(unfinished, path.resolve(FILE), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** @throws IOException if it cannot be read, or is none, or is one of another format; the message names it */
    public RunResult load() throws IOException {
        Path file = path.resolve(FILE);
        RunResult result = parse(file, Files.readString(file));
        if (result == null) {
            throw new IOException(file + " is empty");
        }
        if (result.format() != RunResult.FORMAT) {
            throw new IOException(file + " has format=" + result.format() + "; this version reads " + RunResult.FORMAT);
        }
        return result;
    }

    private static @Nullable RunResult parse(Path file, String text) throws IOException {
        try {
            return GSON.fromJson(text, RunResult.class);
        } catch (JsonParseException e) {
            throw new IOException(file + " is not the JSON of a run: " + e.getMessage(), e);
        }
    }
}
