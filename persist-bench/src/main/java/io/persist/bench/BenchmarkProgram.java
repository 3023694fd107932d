package io.persist.bench;

import io.persist.bench.flags.LoggerParameters;
import io.persist.bench.flags.PayloadParameters;
import io.persist.bench.host.Pinning;
import io.persist.bench.load.ReadPass;
import io.persist.bench.record.Messages;
import io.persist.bench.record.NumberedMessages;
import io.persist.command.Manual;
import io.persist.command.Program;
import io.persist.command.Text;
import java.io.IOException;
import java.util.List;

/**
 * What the benchmarks of loggers do: check their flags, get the messages, and run. The subclasses say what is measured.
 *
 * @param <P> the flags
 */
abstract class BenchmarkProgram<P extends LoggerParameters> extends Program {

    private final P parameters;

    BenchmarkProgram(P parameters) {
        this.parameters = parameters;
    }

    /** Ends a manual with what is the same for all benchmarks. */
    static Manual finished(Manual manual) {
        return manual.note("A boolean flag is given as -f, -f true or -f false. Sizes may have a unit: 64KB, 1.5GB.")
                .note("Logs are below --logLocation, each program's in a directory of its own, and stay;"
                        + " --cleanup deletes the run's.")
                .exits("failed, with one line on the standard error stream");
    }

    @Override
    protected final List<?> flags() {
        return List.of(parameters);
    }

    /**
     * Looks at what is to be written, once the flags are known to be right, and makes the run.
     *
     * @param payload the messages, numbered if there are several producers
     */
    abstract BenchmarkRun prepare(
            P flags, Messages messages, PayloadParameters.Payload payload, BenchmarkRun.Console console);

    @Override
    protected final int work(Call call) throws IOException {
        parameters.validate();
        PayloadParameters.Payload payload = parameters.payload().load();
        Messages messages =
                parameters.detached().producers() == 1 ? payload.messages() : new NumberedMessages(payload.messages());
        try {
            prepare(
                            parameters,
                            messages,
                            payload,
                            new BenchmarkRun.Console(manual().name(), call.command(), call.out(), call.err()))
                    .run();
        } catch (ReadPass.VerificationException | Pinning.PinningException e) {
            throw new IOException(Text.describe(e), e);
        }
        return OK;
    }
}
