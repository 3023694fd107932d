package io.persist.bench.result;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The directory of a run. */
public final class RunDirectory {

    public static final String FILE = "run.json";

    /** As a glob: what the programs call the latencies of a series, and of a run that has only one. */
    private static final String LATENCIES = "latencies.{hlog,*.hlog,*.bin}";

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
