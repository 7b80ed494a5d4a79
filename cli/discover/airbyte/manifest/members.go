package manifest

import (
	"slices"
	"strings"
)

// knownMembers are those that the platform's components have; it ignores all others. A component that is
// missing here is one whose members all count.
var knownMembers = map[string]string{
	"AddFields":            "fields condition",
	"AddedFieldDefinition": "path value value_type",
	"ApiKeyAuthenticator":  "api_token header inject_into",
	"AsyncJobStatusMap":    "running completed failed timeout",
	"AsyncRetriever": "" +
		"record_selector status_mapping status_extractor download_target_extractor " +
		"download_extractor creation_requester polling_requester polling_job_timeout " +
		"download_target_requester download_requester download_paginator abort_requester " +
		"delete_requester partition_router decoder download_decoder",
	"BasicHttpAuthenticator":  "username password",
	"BearerAuthenticator":     "api_token",
	"CompositeErrorHandler":   "error_handlers",
	"ConditionalStreams":      "condition streams",
	"ConstantBackoffStrategy": "backoff_time_in_seconds",
	"CsvDecoder":              "encoding delimiter set_values_to_none",
	"CursorPagination":        "cursor_value page_size stop_condition",
	"DatetimeBasedCursor": "" +
		"clamping cursor_field allow_catalog_defined_cursor_field cursor_datetime_formats " +
		"start_datetime start_time_option end_datetime end_time_option datetime_format " +
		"cursor_granularity is_data_feed is_client_side_incremental is_compare_strictly " +
		"global_substream_cursor lookback_window partition_field_end partition_field_start step",
	"DeclarativeStream": "" +
		"name retriever incremental_sync primary_key schema_loader transformations state_migrations " +
		"file_uploader disable_partition_concurrency",
	"DefaultErrorHandler":        "backoff_strategies max_retries response_filters",
	"DefaultPaginator":           "pagination_strategy page_size_option page_token_option",
	"DpathExtractor":             "field_path record_expander",
	"DpathFlattenFields":         "field_path delete_origin_value replace_record key_transformation",
	"ExponentialBackoffStrategy": "factor",
	"FlattenFields":              "flatten_lists",
	"GroupingPartitionRouter":    "group_size underlying_partition_router deduplicate",
	"GzipDecoder":                "decoder",
	"HttpRequester": "" +
		"url_base url path http_method authenticator fetch_properties_from_endpoint " +
		"query_properties request_parameters request_headers request_body_data request_body_json " +
		"request_body error_handler use_cache request_window_splitting",
	"HttpResponseFilter": "" +
		"action failure_type error_message error_message_contains http_codes predicate",
	"IncrementingCountCursor": "" +
		"cursor_field allow_catalog_defined_cursor_field start_value start_value_option",
	"IterableDecoder": "",
	"JsonDecoder":     "",
	"JsonlDecoder":    "",
	"JwtAuthenticator": "" +
		"secret_key base64_encode_secret_key algorithm token_duration header_prefix jwt_headers " +
		"additional_jwt_headers jwt_payload additional_jwt_payload passphrase request_option",
	"KeyTransformation": "prefix suffix",
	"KeysReplace":       "old new regex keep_original only_if_missing field_path",
	"KeysToLower":       "",
	"KeysToSnakeCase":   "",
	"LegacySessionTokenAuthenticator": "" +
		"header login_url session_token session_token_response_key username password " +
		"validate_session_url",
	"ListPartitionRouter": "cursor_field values request_option",
	"MinMaxDatetime":      "datetime datetime_format max_datetime min_datetime",
	"NoAuth":              "",
	"NoPagination":        "",
	"OAuthAuthenticator": "" +
		"client_id_name client_id client_secret_name client_secret refresh_token_name refresh_token " +
		"token_refresh_endpoint access_token_name access_token_value expires_in_name " +
		"grant_type_name grant_type refresh_request_body refresh_request_headers scopes " +
		"token_expiry_date token_expiry_date_format refresh_token_error_status_codes " +
		"refresh_token_error_key refresh_token_error_values refresh_token_updater profile_assertion " +
		"use_profile_assertion",
	"OffsetIncrement": "page_size inject_on_first_request",
	"PageIncrement":   "page_size start_from_page inject_on_first_request",
	"PaginationReset": "action limits",
	"ParentStreamConfig": "" +
		"stream parent_key partition_field request_option incremental_dependency lazy_read_pointer " +
		"extra_fields",
	"RecordFilter":              "condition",
	"RecordSelector":            "extractor record_filter schema_normalization transform_before_filtering",
	"RemoveFields":              "condition field_pointers",
	"RequestBodyGraphQL":        "value",
	"RequestBodyJsonObject":     "value",
	"RequestBodyPlainText":      "value",
	"RequestBodyUrlEncodedForm": "value",
	"RequestOption":             "inject_into field_name field_path",
	"RequestPath":               "",
	"ResponseToFileExtractor":   "",
	"SelectiveAuthenticator":    "authenticator_selection_path authenticators",
	"SessionTokenAuthenticator": "" +
		"login_requester session_token_path expiration_duration request_authentication decoder",
	"SimpleRetriever": "" +
		"requester decoder record_selector paginator pagination_reset " +
		"ignore_stream_slicer_parameters_on_paginated_requests partition_router " +
		"request_window_splitting",
	"StateDelegatingStream":    "name full_refresh_stream incremental_stream api_retention_period",
	"SubstreamPartitionRouter": "parent_stream_configs",
	"WaitTimeFromHeader":       "header regex max_waiting_time_in_seconds",
	"WaitUntilTimeFromHeader":  "header min_wait regex",
	"XmlDecoder":               "",
	"ZipfileDecoder":           "decoder",
}

// isKnown tells whether a component of the platform has a member.
func isKnown(kind, member string) bool {
	all, ok := knownMembers[kind]
	return !ok || slices.Contains(strings.Fields(all), member)
}
