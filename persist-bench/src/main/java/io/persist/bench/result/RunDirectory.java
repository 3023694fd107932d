package io.persist.bench.result;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The directory of a run, to look at: {@link RunFiles} writes it. */
public final class RunDirectory {

    public static final String FILE = "run.json";

    private static final String LOGS = "latencies.{hlog,*.hlog}";

    /** What each log of the programs begins with. */
    private static final String LOG_BEGINS = "#" + HistogramLog.COMMENT;

    private static final Gson GSON = new Gson();

    /** Who wrote what is no record of a run. */
    static final String NOBODY = "no run of this version";

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
     * What a run must not replace.
     *
     * @param file the file
     * @param writer who wrote it
     */
    record Stranger(Path file, String writer) {}

    /**
     * A file that a run of {@code program} would replace and that is not the program's: the record of another one, a
     * {@code run.json} that is no record, or, where there is none, a histogram log of somebody else. A file that is
     * empty is what a killed run leaves.
     */
    Optional<Stranger> stranger(String program) throws IOException {
        Path file = path.resolve(FILE);
        if (hasResult() && Files.size(file) > 0) {
            String writer = writer();
            return writer.equals(program)
                    ? Optional.empty()
                    : Optional.of(new Stranger(file, writer.isEmpty() ? NOBODY : "bin/persist " + writer));
        }
        if (!Files.isDirectory(path)) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(path, LOGS)) {
            for (Path log : logs) {
                if (Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS) && !beginsAsOwn(log)) {
                    return Optional.of(new Stranger(log, NOBODY));
                }
            }
        }
        return Optional.empty();
    }

    /** The program of the record; empty if there is none that can be read. */
    private String writer() {
        try {
            String program = load().program();
            return program == null ? "" : program;
        } catch (IOException e) {
            return "";
        }
    }

    boolean isOf(String program) {
        return program.equals(writer());
    }

    private static boolean beginsAsOwn(Path log) {
        try (InputStream file = Files.newInputStream(log)) {
            String begin = new String(file.readNBytes(LOG_BEGINS.length()), StandardCharsets.ISO_8859_1);
            return LOG_BEGINS.startsWith(begin);
        } catch (IOException e) {
            return false;
        }
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
