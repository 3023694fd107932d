package io.persist.kafka.bench.server;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Executes commands with the reads and writes of LittleHorse's core, in their order, and deletes the timers that are
 * mature inside one open scan.
 *
 * <p><b>Threads:</b> one, the stream thread.
 */
final class WorkflowProcessor implements Processor<byte[], byte[], Void, Void> {

    private final ServerSpec spec;
    private final RunMeasures measures;
    private final SplittableRandom random = new SplittableRandom();
    private KeyValueStore<Bytes, byte[]> store;

    WorkflowProcessor(ServerSpec spec, RunMeasures measures) {
        this.spec = spec;
        this.measures = measures;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        store = context.getStateStore(WorkflowServer.STORE);
        measures.count(Thread.currentThread());
        context.schedule(
                Duration.ofMillis(spec.punctuateMs()), PunctuationType.WALL_CLOCK_TIME, this::deleteMatureTimers);
    }

    @Override
    public void process(Record<byte[], byte[]> input) {
        WorkflowCommand command = WorkflowCommand.decode(input.value());
        measures.begin();
        long nowMs = System.currentTimeMillis();
        switch (command.kind()) {
            case START_WORKFLOW ->
                put(WorkflowState.workflowKey(command.workflowId()), WorkflowState.workflow(nowMs, 0), true);
            case START_TASK -> startTask(command, nowMs);
            case COMPLETE_TASK -> completeTask(command, nowMs);
            default -> throw new IllegalStateException("no such command: " + command.kind());
        }
        measures.commandDone();
    }

    private void startTask(WorkflowCommand command, long nowMs) {
        String id = command.workflowId();
        byte[] workflow = found(WorkflowState.workflowKey(id));
        long readyMs = WorkflowState.startOf(workflow);
        if (command.task() > 0) {
            readyMs = WorkflowState.completionOf(found(WorkflowState.taskRunKey(id, WorkflowState.taskOf(workflow))));
        }
        WorkflowWindow window = window(nowMs);
        long maturityMs = nowMs + spec.timerDelayMs();
        UUID identity = new UUID(random.nextLong(), random.nextLong());
        put(WorkflowState.timerKey(maturityMs, identity), WorkflowState.timer(maturityMs), true);
        put(WorkflowState.taskRunKey(id, command.task()), WorkflowState.started(nowMs), true);
        put(window.withStart(nowMs - readyMs));
        put(
                WorkflowState.workflowKey(id),
                WorkflowState.workflow(WorkflowState.startOf(workflow), command.task()),
                false);
    }

    private void completeTask(WorkflowCommand command, long nowMs) {
        String id = command.workflowId();
        found(WorkflowState.workflowKey(id));
        Bytes key = WorkflowState.taskRunKey(id, command.task());
        byte[] started = found(key);
        long startMs = WorkflowState.startOf(started);
        put(window(nowMs).withCompletion(nowMs - startMs));
        put(key, WorkflowState.completed(startMs, nowMs, command.payload()), false);
        measures.live(WorkflowState.COMPLETED_LENGTH + command.payload().length - started.length);
    }

    private byte[] found(Bytes key) {
        byte[] value = store.get(key);
        if (value == null) {
            throw new IllegalStateException("the store has lost " + key);
        }
        return value;
    }

    private WorkflowWindow window(long nowMs) {
        long startMs = nowMs / spec.windowMs() * spec.windowMs();
        return WorkflowWindow.decode(startMs, store.get(WorkflowState.windowKey(startMs)));
    }

    private void put(WorkflowWindow window) {
        store.put(WorkflowState.windowKey(window.windowStart()), window.encode());
    }

    private void put(Bytes key, byte[] value, boolean isNew) {
        store.put(key, value);
        if (isNew) {
            measures.live(key.get().length + value.length);
        }
    }

    private void deleteMatureTimers(long nowMs) {
        long startNs = System.nanoTime();
        long deleted = 0;
        try (KeyValueIterator<Bytes, byte[]> mature =
                store.range(WorkflowState.firstTimer(), WorkflowState.lastTimer(nowMs))) {
            while (mature.hasNext()) {
                KeyValue<Bytes, byte[]> timer = mature.next();
                if (WorkflowState.maturityOf(timer.value) > nowMs) {
                    throw new IllegalStateException("the store has another value of " + timer.key + " than was put");
                }
                store.delete(timer.key);
                measures.live(-timer.key.get().length - timer.value.length);
                deleted++;
            }
        }
        measures.scanDone(deleted, System.nanoTime() - startNs);
    }
}
