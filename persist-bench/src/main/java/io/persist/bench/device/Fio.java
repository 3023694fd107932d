package io.persist.bench.device;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.persist.bench.device.engine.Operation;
import io.persist.bench.device.engine.Pattern;
import io.persist.command.Text;
import io.persist.command.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The program fio, which does what a cell does on the same files. */
final class Fio {

    /** How often there is a look whether it has to end. */
    private static final long LOOK_MS = 100;

    /** What it may take to end when it is asked to. */
    private static final long END_SECONDS = 3;

    private final String program;
    private final int block;
    private final long seed;
    private final String version;

    private Fio(String program, int block, long seed, String version) {
        this.program = program;
        this.block = block;
        this.seed = seed;
        this.version = version;
    }

    /** @throws UsageException if there is no such program, or it does not run */
    static Fio find(String program, int block, long seed) throws InterruptedException {
        Process process;
        try {
            process = start(List.of(program, "--version"));
        } catch (IOException e) {
            throw new UsageException("--fio needs the program " + program
                    + ", which is not there; install it (apt-get install fio, dnf install fio), or leave --fio out");
        }
        try {
            String version = output(process, () -> false).orElseThrow();
            return new Fio(program, block, seed, version.strip());
        } catch (IOException e) {
            throw new UsageException("--fio needs the program " + program + ", which does not run (" + Text.describe(e)
                    + "); install it anew, or leave --fio out");
        }
    }

    String version() {
        return version;
    }

    /**
     * Its operations per second, of all files together; none if it was ended because {@code isEnding} said so.
     *
     * @throws IOException if it cannot do the cell; the message says why
     */
    OptionalDouble perSecond(Cell cell, List<TestFile> files, double seconds, BooleanSupplier isEnding)
            throws IOException, InterruptedException {
        if (cell.pattern() == Pattern.APPEND) {
            for (TestFile file : files) {
                file.empty();
            }
        }
        Optional<String> printed = output(start(arguments(cell, files, seconds)), isEnding);
        if (printed.isEmpty()) {
            return OptionalDouble.empty();
        }
        String out = printed.get();
        try {
            JsonObject job = JsonParser.parseString(out.substring(Math.max(0, out.indexOf('{'))))
                    .getAsJsonObject()
                    .getAsJsonArray("jobs")
                    .get(0)
                    .getAsJsonObject();
            return OptionalDouble.of(job.getAsJsonObject(cell.operation() == Operation.READ ? "read" : "write")
                    .get("iops")
                    .getAsDouble());
        } catch (JsonParseException | IllegalStateException | NullPointerException e) {
            throw new IOException("fio printed no result: " + out.replaceAll("\\s+", " "), e);
        }
    }

    /** A growing file is written once, up to its length; the others as long as the time lasts. */
    List<String> arguments(Cell cell, List<TestFile> files, double seconds) {
        boolean grows = cell.pattern() == Pattern.APPEND;
        String random = cell.pattern() == Pattern.RAND ? "rand" : "";
        List<String> arguments = new ArrayList<>(List.of(program, "--output-format=json", "--thread"));
        arguments.add("--group_reporting");
        arguments.addAll(cell.engine().fio());
        arguments.add("--rw=" + random + cell.operation().name().toLowerCase(Locale.ROOT));
        arguments.add("--bs=" + block);
        arguments.add("--size=" + files.get(0).length());
        arguments.add("--iodepth=" + cell.depth());
        if (cell.syncEvery() > 0) {
            arguments.add("--fdatasync=" + cell.syncEvery());
        }
        arguments.add("--runtime=" + Math.max(1, Math.round(seconds)) + "s");
        if (!grows) {
            arguments.add("--time_based");
        }
        arguments.addAll(List.of("--norandommap", "--randseed=" + seed, "--invalidate=0", "--fallocate=none"));
        for (int i = 0; i < files.size(); i++) {
            arguments.add("--name=file" + i);
            Path path = grows ? files.get(i).growing() : files.get(i).path();
            arguments.add("--filename=" + path.toString().replace(":", "\\:"));
        }
        return arguments;
    }

    private static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
    }

    /** What the program printed; none if it was ended. It must not outlive this process, whose files it writes. */
    private static Optional<String> output(Process process, BooleanSupplier isEnding)
            throws IOException, InterruptedException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (InputStream out = process.getInputStream()) {
            while (!process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
                printed.write(out.readNBytes(out.available())); // or it waits for room in the pipe
                if (isEnding.getAsBoolean()) {
                    return Optional.empty();
                }
            }
            out.transferTo(printed);
        } finally {
            end(process);
        }
        String text = printed.toString(StandardCharsets.UTF_8);
        if (process.exitValue() != 0) {
            throw new IOException("fio ended with " + process.exitValue() + ": "
                    + text.strip().replaceAll("\\s*\\n\\s*", "; ").replaceAll("\\{.*", ""));
        }
        return Optional.of(text);
    }

    private static void end(Process process) throws InterruptedException {
        process.destroy();
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }
}
